import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AnalyticsReportOptions } from './authoring/analytics-report.ts';
import type { BuildCommandOptions } from './authoring/build.ts';
import type { ExportCommandOptions } from './authoring/export.ts';
import { addExportFlags } from './authoring/export-flags.ts';
import type { VerifyCommandOptions } from './authoring/verify.ts';
import { jsonOption } from './manage/server-commands.ts';
import { createOutput } from './output.ts';
import { type FetchFlag, NO_FETCH, withOutside } from './outside.ts';

interface JsonOption {
  json?: boolean;
}

/** Commands that create and check static sites without a platform. */
export function addBundleCommands(program: Command, env: NodeJS.ProcessEnv, setExitCode: (code: number) => void): void {
  const withOut = (command: Command, what: string) =>
    addExportFlags(
      command
        .requiredOption('--out <path>', what)
        .option('--origin <address>', 'absolute URL of the site', readOrigin, 'https://docs.example.com')
        .option(...NO_FETCH),
    ).addOption(jsonOption());

  withOut(program.command('build <folder>'), 'output folder')
    .description('Build a documentation folder as a static site')
    .action(async (folder: string, options: JsonOption & FetchFlag & BuildCommandOptions) => {
      const { runBuild } = await import('./authoring/build.ts');
      await withOutside(env, options, (fetchOutside) => runBuild(folder, options, createOutput(options), fetchOutside));
    });
  withOut(program.command('export <folder>'), 'the archive to write, for example bundle.tar.gz')
    .description('Build a documentation folder as one archive that needs no server')
    .addOption(signingKeyOption())
    .action(async (folder: string, options: JsonOption & FetchFlag & ExportCommandOptions) => {
      const { runExport } = await import('./authoring/export.ts');
      await withOutside(env, options, (fetchOutside) => runExport(folder, options, createOutput(options), fetchOutside));
    });
  program
    .command('verify <archive>')
    .description('Check a bundle: every file by size and hash, nothing missing or extra, and its signature')
    .option('--key <key>', 'public key, or the file that contains it; requires a valid signature')
    .option('--links', 'check that no link inside the bundle is broken')
    .addOption(jsonOption())
    .action(async (archive: string, options: JsonOption & VerifyCommandOptions) => {
      setExitCode(await (await import('./authoring/verify.ts')).runVerify(archive, options, createOutput(options)));
    });
  program
    .command('analytics <folder>')
    .description('Report the analytics of a bundle, from the files of docent serve-bundle --analytics')
    .option('--from <date>', 'first day in UTC, for example 2026-11-01')
    .option('--to <date>', 'last day, exclusive')
    .option('--html <file>', 'write the report as one page that needs no network')
    .addOption(jsonOption())
    .action(async (folder: string, options: JsonOption & AnalyticsReportOptions) => {
      await (await import('./authoring/analytics-report.ts')).runAnalyticsReport(folder, options, createOutput(options));
    });
  program
    .command('signing-key <file>')
    .description('Create a key for signing bundles: the secret key in <file>, the public key in <file>.pub')
    .addOption(jsonOption())
    .action(async (file: string, options: JsonOption) => {
      await (await import('./signing-key.ts')).runSigningKey(file, createOutput(options));
    });
}

function signingKeyOption(): Option {
  return new Option('--signing-key <file>', 'secret key that signs the bundle').env('DOCENT_BUNDLE_SIGNING_KEY');
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError('Use an absolute http or https address.');
  return text.replace(/(?<!\/)\/+$/, '');
}
