import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import type { CheckCommandOptions } from './authoring/check.ts';
import type { DevOptions } from './authoring/dev.ts';
import type { InitOptions } from './authoring/init.ts';
import type { UpgradeOptions } from './authoring/upgrade.ts';
import { addBundleCommands } from './bundle-commands.ts';
import { addAccountCommands } from './manage/accounts.ts';
import { addAuditCommand } from './manage/audit.ts';
import { addDeploymentCommands } from './manage/deployments.ts';
import { addExportCommands } from './manage/exports.ts';
import { addFeedbackCommands } from './manage/feedback.ts';
import { addHostnameCommands } from './manage/hostnames.ts';
import { addKeyCommands } from './manage/keys.ts';
import { addLiveCommand } from './manage/live.ts';
import { addPreviewCommands } from './manage/previews.ts';
import { addSecurityCommand } from './manage/security.ts';
import { createServerCommands, jsonOption, type SiteOptions } from './manage/server-commands.ts';
import { addSiteCommands } from './manage/sites.ts';
import { addStreamCommands } from './manage/streams.ts';
import { createOutput, describeError, exitCodeOf } from './output.ts';
import { type FetchFlag, NO_FETCH, withOutside } from './outside.ts';
import type { ServeOptions } from './serve.ts';
import type { ServeBundleOptions } from './serve-bundle.ts';

/** Commands load their code only when they run, so that `--help` is instant. */
type Lazy<Module> = () => Promise<Module>;

const loadServe: Lazy<typeof import('./serve.ts')> = () => import('./serve.ts');

interface JsonOption {
  json?: boolean;
}

interface PublishOptions extends SiteOptions {
  strict?: boolean;
  preview?: string;
}

/**
 * Runs one command line.
 * @param args without the program's name
 * @returns exit code, see `exitCodeOf`
 */
export async function runProgram(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  let exitCode = 0;
  const program = new Command('docent')
    .description('An open, self-hosted documentation platform.')
    .version(manifest.version, '--version', 'print the version')
    // "serve-bundle --version" is an option of that command.
    .enablePositionalOptions()
    .showHelpAfterError('(add --help for the options)')
    .exitOverride();
  const setExitCode = (code: number) => {
    exitCode = code;
  };
  const server = createServerCommands(program, env, setExitCode);

  program
    .command('serve')
    .description('Serve sites and the API, and run the jobs, in one process with embedded storage (DOCENT_PORT, DOCENT_DATA)')
    .option('--sample', 'publish the documentation of Docent as the first site on the first start')
    .option('--no-worker', 'leave the jobs to processes of "docent worker" on the same PostgreSQL server')
    .addOption(jsonOption())
    .action(async (options: JsonOption & ServeOptions) => {
      exitCode = await (await loadServe()).runServe(env, options, createOutput(options));
    });
  program
    .command('dev')
    .argument('[folder]', 'the folder that contains docs.json', '.')
    .description('Preview the site of a folder while you write: reloads on every change, shows errors over the page')
    .option('--port <port>', 'port to listen on; if it is in use, the next free one', readPort, 3000)
    .option('--host <address>', 'address to listen on, for example 0.0.0.0 for the whole network')
    .option('--open', 'open the site in the browser')
    .option(...NO_FETCH)
    .addOption(jsonOption())
    .action(async (folder: string, options: JsonOption & DevOptions) => {
      exitCode = await (await import('./authoring/dev.ts')).runDev(folder, options, createOutput(options), env);
    });
  program
    .command('worker')
    .description('Run jobs (publishing, exports); serves only health, readiness and metrics (DOCENT_PORT)')
    .action(async () => {
      exitCode = await (await loadServe()).runWorker(env, createOutput({}));
    });
  server
    .add(program, 'publish <source>', 'Publish a folder or a .tar.gz of documentation to a site')
    .requiredOption('--site <slug>', 'identifier of the site; created if it does not exist')
    .option('--preview <name>', 'publish it as this preview instead of live, for example the name of a branch')
    .option('--strict', 'exit with 1 if a page has an error, such as an API page without its operation')
    .action(
      server.action(async (api, output, source: string, options: PublishOptions) =>
        (await import('./publish.ts')).runPublish(api, source, options.site, output, options),
      ),
    );
  addBundleCommands(program, env, setExitCode);
  program
    .command('serve-bundle [link-or-file]')
    .description('Serve an exported site: fetches, verifies and serves its bundle, and updates it without downtime')
    .option(
      '--version <version>',
      'accept only this version: the label of the export, or its exportVersion (DOCENT_BUNDLE_VERSION)',
    )
    .option('--sha256 <hash>', 'accept only an archive with this SHA-256 (DOCENT_BUNDLE_SHA256)')
    .option('--key <key>', 'public key, or the file that contains it; requires a valid signature (DOCENT_BUNDLE_PUBLIC_KEY)')
    .option('--signature <link or file>', 'location of the signature, if not beside the bundle (DOCENT_BUNDLE_SIGNATURE)')
    .option('--cache <folder>', 'folder for unpacked bundles; the server starts from it without a network (DOCENT_BUNDLE_CACHE)')
    .option('--config <file>', 'file with DOCENT_BUNDLE_URL=…, reread on SIGHUP and at every poll (DOCENT_BUNDLE_CONFIG)')
    .option(
      '--poll-seconds <seconds>',
      'interval between checks for another bundle; 0 disables them (DOCENT_BUNDLE_POLL_SECONDS)',
    )
    .option('--base-path <path>', 'serve under this path, for example /docs (DOCENT_BASE_PATH)')
    .option('--port <port>', 'port to listen on (DOCENT_PORT)')
    .option('--host <address>', 'address to listen on; 0.0.0.0 opens the server to the network (DOCENT_HOST)')
    .option('--assistant', 'answer questions from the bundle, with the model in DOCENT_MODEL (DOCENT_BUNDLE_ASSISTANT)')
    .option('--playground-proxy', 'proxy the calls of API pages that need it (DOCENT_BUNDLE_PLAYGROUND_PROXY)')
    .option('--analytics', 'record page views and events, for docent analytics (DOCENT_BUNDLE_ANALYTICS)')
    .addOption(jsonOption())
    .action(async (location: string | undefined, options: JsonOption & ServeBundleOptions) => {
      const { runServeBundle } = await import('./serve-bundle.ts');
      exitCode = await runServeBundle(env, location, options, createOutput(options));
    });
  addAuthoringCommands(program, env, setExitCode);
  program
    .command('migrate')
    .description('Run the pending migrations of the database')
    .addOption(jsonOption())
    .action(async (options: JsonOption) => {
      await (await loadServe()).runMigrate(env, createOutput(options));
    });
  for (const add of [
    addKeyCommands,
    addSiteCommands,
    addDeploymentCommands,
    addPreviewCommands,
    addExportCommands,
    addFeedbackCommands,
    addLiveCommand,
    addHostnameCommands,
    addStreamCommands,
    addAccountCommands,
    addAuditCommand,
    addSecurityCommand,
  ])
    add(server);

  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${describeError(error)}\n`);
    return exitCodeOf(error);
  }
}

/** Commands for authors: they need no platform. */
function addAuthoringCommands(program: Command, env: NodeJS.ProcessEnv, setExitCode: (code: number) => void): void {
  program
    .command('init')
    .argument('[folder]', 'the folder of the site; created if it does not exist', '.')
    .description('Write a docs.json for the pages of a folder, and two pages to begin with if there are none')
    .option('--name <name>', 'name of the site; by default that of the folder')
    .addOption(jsonOption())
    .action(async (folder: string, options: JsonOption & InitOptions) => {
      await (await import('./authoring/init.ts')).runInit(folder, options, createOutput(options));
    });
  program
    .command('check <folder>')
    .description('Compile a documentation folder as publishing does, and list its problems')
    .option('--strict', 'fail on warnings too')
    .option(...NO_FETCH)
    .option('--all', 'show hints too: unused files, pages outside the navigation')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'github', 'sarif']).default('text'))
    .addOption(jsonOption())
    .action(async (folder: string, options: JsonOption & FetchFlag & CheckCommandOptions) => {
      const { runCheck } = await import('./authoring/check.ts');
      const check = () =>
        withOutside(env, options, (fetchOutside) => runCheck(folder, options, createOutput(options), fetchOutside));
      setExitCode(await check());
    });
  program
    .command('upgrade <folder>')
    .description('Convert an older mint.json to docs.json')
    .option('--force', 'replace an existing docs.json')
    .option('--dry-run', 'print the result without writing it')
    .addOption(jsonOption())
    .action(async (folder: string, options: JsonOption & UpgradeOptions) => {
      await (await import('./authoring/upgrade.ts')).runUpgrade(folder, options, createOutput(options));
    });
  program
    .command('schema')
    .description('Print the JSON Schema of docs.json, for editors')
    .addOption(jsonOption())
    .action(async (options: JsonOption) => (await import('./authoring/schema.ts')).runSchema(createOutput(options)));
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('Use a port, 0 to 65535.');
  return port;
}
