import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DocentError } from '../../core/errors.ts';
import type { ExportOptions } from '../../core/exports/export-options.ts';
import { selectPages } from '../../core/exports/select-pages.ts';
import type { BuiltPage } from '../../core/site-build.ts';

/** Flags of the commands that create a bundle. */
export interface ExportFlags {
  siteVersion?: string;
  language?: string;
  page?: string[];
  omittedLinks?: ExportOptions['omittedLinks'];
  basePath?: string;
  assistantUrl?: string;
  analyticsUrl?: string;
}

/** Adds the flags that select the content of a bundle. */
export function addExportFlags(command: Command): Command {
  return command
    .option('--site-version <label>', 'only the pages of this version, and those without a version')
    .option('--language <code>', 'only the pages of this language, and those without a language')
    .option('--page <path...>', 'only these pages, as written in docs.json')
    .addOption(new Option('--omitted-links <kind>', 'the form of links to other pages').choices(['live', 'text']).default('live'))
    .option(
      '--base-path <path>',
      'path at which the site will be served, for example /docs; for redirects and 404.html',
      readBasePath,
      '',
    )
    .option('--assistant-url <address>', 'assistant API for the pages; without it they show no assistant', readAddress)
    .option('--analytics-url <address>', 'URL to which the pages send analytics events; without it they send none', readAddress);
}

/** @throws DocentError `invalid_request`, or `invalid_paths` for paths that the site does not have */
export function exportOptionsOf(flags: ExportFlags, pages: readonly BuiltPage[]): ExportOptions {
  const { siteVersion, language, page, assistantUrl, analyticsUrl } = flags;
  const wanted = {
    ...(siteVersion !== undefined && { version: siteVersion }),
    ...(language !== undefined && { language }),
    ...(page !== undefined && { paths: page }),
  };
  const paths = selectPages(pages, wanted);
  return {
    ...wanted,
    ...(paths !== null && { paths }),
    omittedLinks: flags.omittedLinks ?? 'live',
    basePath: flags.basePath ?? '',
    ...(assistantUrl !== undefined && { assistantUrl }),
    ...(analyticsUrl !== undefined && { analyticsUrl }),
  };
}

/**
 * Returns when the content of a folder was made, as far as that is a property of the content: `SOURCE_DATE_EPOCH`, else the date
 * of its last commit, else the epoch. So bundles of equal folders are identical.
 * @throws DocentError `invalid_setting`
 */
export async function contentDate(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<Date> {
  const given = env.SOURCE_DATE_EPOCH;
  if (given !== undefined && !/^\d{1,11}$/.test(given))
    throw new DocentError('invalid_setting', 'SOURCE_DATE_EPOCH is not a number of seconds since 1970; correct or unset it.');
  const seconds = given ?? (await lastCommitSeconds(folder));
  return new Date(Number(seconds) * 1000);
}

async function lastCommitSeconds(folder: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', ['log', '-1', '--format=%ct', '--', '.'], { cwd: folder });
    return stdout.trim() || '0';
  } catch {
    return '0';
  }
}

function readBasePath(text: string): string {
  const path = text.replace(/(?<!\/)\/+$/, '');
  if (path !== '' && !/^(?:\/[\w.~-]+)+$/.test(path)) throw new InvalidArgumentError('Use a path such as /docs.');
  return path;
}

function readAddress(text: string): string {
  const isPath = /^\/[\w.~/-]+$/.test(text) && !text.startsWith('//');
  if (!isPath && !/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new InvalidArgumentError('Use an absolute http or https address, or a path from the root of the site.');
  return text.replace(/(?<!\/)\/+$/, '');
}
