import type { FetchOutside } from '@docent/compiler/outside/outside.ts';
import { readGroups } from '@docent/format/access/audience.ts';
import { isBasePath } from '@docent/format/base-path.ts';
import type { Severities, Severity } from '@docent/format/check/severities.ts';
import { readExportAudience } from '@docent/format/exports/export-audience.ts';
import { isEndpointAddress } from '@docent/format/exports/export-options.ts';
import { InvalidArgumentError, Option } from 'commander';
import type { Commands } from '../kernel/commands.ts';
import type { AnalyticsReportOptions } from './analytics-report.ts';
import type { AskCommandOptions } from './ask.ts';
import type { ExportCommandOptions } from './build.ts';
import type { BuildCommandOptions } from './bundle-inputs.ts';
import type { CheckCommandOptions } from './check.ts';
import type { DevOptions } from './dev.ts';
import { sourceOption } from './source-option.ts';
import type { VerifyCommandOptions } from './verify.ts';
import type { InitOptions, UpgradeOptions } from './write-docs-json.ts';

/** The flag of the commands that build locally. */
interface FetchFlag {
  /** `false`: nothing is fetched from the network. */
  fetch?: boolean;
}

/** Means the same in every command that builds a site. */
export const STRICT = [
  '--strict',
  'fail on warnings too, and then write or publish nothing',
] as const;

/** `--rule broken-link=off`, any number of times. */
export function ruleOption(): Option {
  return new Option(
    '--rule <code=severity>',
    'report problems of a code as "error" or "warning", or not: "off"; can be repeated',
  ).argParser(readRule);
}

const NO_CACHE = [
  '--no-cache',
  'compile every page again, and keep nothing for the next time',
] as const;
const NO_FETCH = [
  '--no-fetch',
  'read nothing from other servers (DOCENT_FETCH_REMOTE=off)',
] as const;

/**
 * Commands for authors, and commands that create and check static sites: they need no platform and
 * load their code when they run.
 */
export function addLocalCommands(commands: Commands, env: NodeJS.ProcessEnv): void {
  addAuthoringCommands(commands, env);
  addBundleCommands(commands, env);
}

/**
 * Runs a command that may fetch files that a site refers to by URL.
 * @throws DocentError `invalid_setting`
 */
export async function withOutside<Value>(
  env: NodeJS.ProcessEnv,
  { fetch }: FetchFlag,
  run: (fetchOutside: FetchOutside | undefined) => Promise<Value>,
): Promise<Value> {
  // Loading the clients takes a tenth of the time of a small build.
  if (fetch === false) return run(undefined);
  const { openLocalOutside } = await import('@docent/server/start/compose-outside.ts');
  const outside = await openLocalOutside(env);
  try {
    return await run(outside.fetchOutside);
  } finally {
    await outside.close();
  }
}

function addAuthoringCommands({ addLocal }: Commands, env: NodeJS.ProcessEnv): void {
  addLocal(
    'dev',
    'Preview the site of a folder while you write: reloads on every change, shows errors over the page',
  )
    .argument('[folder]', 'the folder that contains docs.json', '.')
    .option(
      '--port <port>',
      'port to listen on; if it is in use, the next free one',
      readPort,
      3000,
    )
    .option('--host <address>', 'address to listen on, for example 0.0.0.0 for the whole network')
    .option('--open', 'open the site in the browser')
    .option(
      '--groups <names>',
      'show what a signed-in reader with these groups sees, with commas between them',
      readGroupNames,
    )
    .addOption(sourceOption())
    .option(...NO_FETCH)
    .option(...NO_CACHE)
    .run(async (output, folder: string, options: DevOptions) =>
      (await import('./dev.ts')).runDev(folder, options, output, env),
    );
  addLocal(
    'init',
    'Write a docs.json for the pages of a folder, and two pages to begin with if there are none',
  )
    .argument('[folder]', 'the folder of the site; created if it does not exist', '.')
    .option('--name <name>', 'name of the site; by default that of the folder')
    .run(async (output, folder: string, options: InitOptions) =>
      (await import('./write-docs-json.ts')).runInit(folder, options, output),
    );
  addLocal(
    'check <folder>',
    'Compile a documentation folder as publishing does, and list its problems',
  )
    .addOption(sourceOption())
    .option(...STRICT)
    .addOption(ruleOption())
    .option(...NO_FETCH)
    .option(...NO_CACHE)
    .option('--all', 'show hints too: unused files, pages outside the navigation')
    .option(
      '--sign-in',
      'readers of the site can sign in: check pages with groups too, and count the pages of each group',
    )
    .addOption(
      new Option('--format <format>', 'output format')
        .choices(['text', 'github', 'sarif'])
        .default('text'),
    )
    .run(async (output, folder: string, options: FetchFlag & CheckCommandOptions) => {
      const { runCheck } = await import('./check.ts');
      return withOutside(env, options, (fetchOutside) =>
        runCheck(folder, options, output, fetchOutside),
      );
    });
  addLocal(
    'ask <folder> [questions]',
    'Ask a documentation folder questions of readers, and test whether it answers them',
  )
    .option(
      '--against <folder>',
      'another version of the folder: prints which questions are gained and lost',
    )
    .option('--all', 'print the answered questions too')
    .option(...NO_FETCH)
    .run(
      async (
        output,
        folder: string,
        file: string | undefined,
        options: FetchFlag & AskCommandOptions,
      ) => {
        const { runAsk } = await import('./ask.ts');
        return withOutside(env, options, (fetchOutside) =>
          runAsk(folder, file, options, output, fetchOutside),
        );
      },
    );
  addLocal('upgrade <folder>', 'Convert an older mint.json to docs.json')
    .option('--force', 'replace an existing docs.json')
    .option('--dry-run', 'print the result without writing it')
    .run(async (output, folder: string, options: UpgradeOptions) =>
      (await import('./write-docs-json.ts')).runUpgrade(folder, options, output),
    );
  addLocal('schema', 'Print the JSON Schema of docs.json, for editors')
    .option('--questions', 'that of questions.yaml instead')
    .run(async (output, { questions }: { questions?: boolean }) => {
      const schema = questions
        ? (await import('@docent/format/questions/question-file.ts')).questionFileSchema()
        : (await import('@docent/format/docs-json/json-schema.ts')).editorSchema();
      output.result(JSON.stringify(schema, null, 2), schema);
    });
}

function addBundleCommands({ addLocal }: Commands, env: NodeJS.ProcessEnv): void {
  const addBuild = (usage: string, description: string, out: string) =>
    addLocal(usage, description)
      .requiredOption('--out <path>', out)
      .option(
        '--origin <address>',
        'absolute URL of the site',
        readOrigin,
        'https://docs.example.com',
      )
      .addOption(sourceOption())
      .option(...NO_FETCH)
      .option(...NO_CACHE)
      .option(...STRICT)
      .addOption(ruleOption())
      .option(
        '--site-version <label>',
        'only the pages of this version, and those without a version',
      )
      .option('--language <code>', 'only the pages of this language, and those without a language')
      .option('--page <path...>', 'only these pages, as written in docs.json')
      .option(
        '--audience <who>',
        'whose pages: public, all, or groups with commas between them',
        readExportAudience,
        'public',
      )
      .addOption(
        new Option('--omitted-links <kind>', 'the form of links to other pages')
          .choices(['live', 'text'])
          .default('live'),
      )
      .option(
        '--base-path <path>',
        'path at which the site will be served, for example /docs; for redirects and 404.html',
        readBasePath,
        '',
      )
      .option(
        '--assistant-url <address>',
        'assistant API for the pages; without it they show no assistant',
        readAddress,
      )
      .option(
        '--analytics-url <address>',
        'URL to which the pages send analytics events; without it they send none',
        readAddress,
      );

  addBuild('build <folder>', 'Build a documentation folder as a static site', 'output folder').run(
    async (output, folder: string, options: FetchFlag & BuildCommandOptions) => {
      const { runBuild } = await import('./build.ts');
      return runBuild(folder, options, output, (run) => withOutside(env, options, run));
    },
  );
  addBuild(
    'export <folder>',
    'Build a documentation folder as one archive that needs no server',
    'the archive to write, for example bundle.tar.gz, or bundle.tar.zst, which takes two thirds of the size for many pages',
  )
    .addOption(
      new Option('--signing-key <file>', 'secret key that signs the bundle').env(
        'DOCENT_BUNDLE_SIGNING_KEY',
      ),
    )
    .run(async (output, folder: string, options: FetchFlag & ExportCommandOptions) => {
      const { runExport } = await import('./build.ts');
      return runExport(folder, options, output, (run) => withOutside(env, options, run));
    });
  addLocal(
    'verify <archive>',
    'Check a bundle: every file by size and hash, nothing missing or extra, and its signature',
  )
    .option('--key <key>', 'public key, or the file that contains it; requires a valid signature')
    .option('--links', 'check that no link inside the bundle is broken')
    .run(async (output, archive: string, options: VerifyCommandOptions) =>
      (await import('./verify.ts')).runVerify(archive, options, output),
    );
  addLocal(
    'analytics <folder>',
    'Report the analytics of a bundle, from the files of docent serve-bundle --analytics',
  )
    .option('--from <date>', 'first day in UTC, for example 2026-11-01')
    .option('--to <date>', 'last day, exclusive')
    .option('--html <file>', 'write the report as one page that needs no network')
    .run(async (output, folder: string, options: AnalyticsReportOptions) =>
      (await import('./analytics-report.ts')).runAnalyticsReport(folder, options, output),
    );
  addLocal(
    'signing-key <file>',
    'Create a key for signing bundles: the secret key in <file>, the public key in <file>.pub',
  ).run(async (output, file: string) => (await import('./verify.ts')).runSigningKey(file, output));
}

function readRule(text: string, before: Severities = {}): Severities {
  const [, code, severity] = /^([a-z][a-z-]*)=(error|warning|off)$/.exec(text) ?? [];
  if (code === undefined)
    throw new InvalidArgumentError(
      'Use a rule such as broken-link=off, with error, warning or off.',
    );
  return { ...before, [code]: severity as Severity };
}

function readGroupNames(text: string): readonly string[] {
  return readGroups(text) ?? [];
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('Use a port, 0 to 65535.');
  return port;
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('Use an absolute http or https address.');
  return text.replace(/(?<!\/)\/+$/, '');
}

function readBasePath(text: string): string {
  const path = text.replace(/(?<!\/)\/+$/, '');
  if (!isBasePath(path)) throw new InvalidArgumentError('Use a path such as /docs.');
  return path;
}

function readAddress(text: string): string {
  if (!isEndpointAddress(text))
    throw new InvalidArgumentError(
      'Use an absolute http or https address, or a path from the root of the site.',
    );
  return text.replace(/(?<!\/)\/+$/, '');
}
