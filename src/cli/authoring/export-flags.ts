import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DocentError } from '../../core/errors.ts';
import type { ExportOptions } from '../../core/exports/export-options.ts';
import { selectPages } from '../../core/exports/select-pages.ts';
import type { BuiltPage } from '../../core/site-build.ts';

/** What the flags of the commands that make a bundle say. */
export interface ExportFlags {
  siteVersion?: string;
  language?: string;
  page?: string[];
  omittedLinks?: ExportOptions['omittedLinks'];
  basePath?: string;
  assistantUrl?: string;
  analyticsUrl?: string;
}

/** Adds the flags that say what goes into a bundle. */
export function addExportFlags(command: Command): Command {
  return command
    .option('--site-version <label>', 'only the pages of this version, and those of none')
    .option('--language <code>', 'only the pages of this language, and those of none')
    .option('--page <path...>', 'only these pages, named as docs.json does')
    .addOption(new Option('--omitted-links <kind>', 'what links to other pages become').choices(['live', 'text']).default('live'))
    .option(
      '--base-path <path>',
      'where the site will be served, for example /docs; for redirects and 404.html',
      readBasePath,
      '',
    )
    .option('--assistant-url <address>', 'assistant API that the pages talk to; without it they show no assistant', readAddress)
    .option('--analytics-url <address>', 'where the pages send their events to; without it they send nothing', readAddress);
}

/** @throws DocentError `invalid_request`, `invalid_paths` for what the site does not have */
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
 * When the content of a folder was made, as far as that is a property of the content: what `SOURCE_DATE_EPOCH` says, else the
 * day of its last commit, else the beginning of time. Bundles of equal folders are equal so.
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
