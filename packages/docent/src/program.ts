import { CHECK_RULES } from '@docent/format/deployments/new-problems.ts';
import { Command, CommanderError, Option } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { addLocalCommands, ruleOption, STRICT } from './authoring/local-commands.ts';
import { sourceOption } from './authoring/source-option.ts';
import { createCommands } from './kernel/commands.ts';
import { createOutput, describeError, exitCodeOf, forTerminal } from './kernel/output.ts';
import { addAccessCommands } from './manage/access.ts';
import { addAnalyticsCommands } from './manage/analytics.ts';
import { ciFactsOf } from './manage/ci-facts.ts';
import { addDeploymentCommands } from './manage/deployments.ts';
import { addDirectoryCommands } from './manage/directory.ts';
import { addDraftCommand } from './manage/draft.ts';
import { addExperimentCommand } from './manage/experiment.ts';
import { addExportCommands } from './manage/exports.ts';
import { addGitCommands } from './manage/git-source.ts';
import { addGitHubAppCommands } from './manage/github-apps.ts';
import { addSignInCommands } from './manage/organization-sign-in.ts';
import type { PublishOptions } from './manage/publish.ts';
import { addSearchRulesCommand } from './manage/search-rules.ts';
import { addSiteAccessCommands } from './manage/site-access.ts';
import { addSiteCommands } from './manage/sites.ts';
import { addWebhookCommands } from './manage/webhooks.ts';
import { addOperatorCommands } from './operate/commands.ts';
import type { ServeOptions } from './operate/serve.ts';

/** Commands load their code only when they run, so that `--help` is instant. */
const loadServe = () => import('./operate/serve.ts');

/** The options of `serve-bundle`, by the settings that they override. */
const BUNDLE_OPTIONS = {
  DOCENT_BUNDLE_VERSION: [
    '--version <version>',
    'accept only this version: the label of the export, or its exportVersion',
  ],
  DOCENT_BUNDLE_SHA256: ['--sha256 <hash>', 'accept only an archive with this SHA-256'],
  DOCENT_BUNDLE_PUBLIC_KEY: [
    '--key <key>',
    'public key, or the file that contains it; requires a valid signature',
  ],
  DOCENT_BUNDLE_SIGNATURE: [
    '--signature <link or file>',
    'location of the signature, if not beside the bundle',
  ],
  DOCENT_BUNDLE_CACHE: [
    '--cache <folder>',
    'folder for unpacked bundles; the server starts from it without a network',
  ],
  DOCENT_BUNDLE_CONFIG: [
    '--config <file>',
    'file with DOCENT_BUNDLE_URL=…, reread on SIGHUP and at every poll',
  ],
  DOCENT_BUNDLE_POLL_SECONDS: [
    '--poll-seconds <seconds>',
    'interval between checks for another bundle; 0 disables them',
  ],
  DOCENT_BASE_PATH: ['--base-path <path>', 'serve under this path, for example /docs'],
  DOCENT_PORT: ['--port <port>', 'port to listen on'],
  DOCENT_HOST: [
    '--host <address>',
    'address to listen on; 0.0.0.0 opens the server to the network',
  ],
  DOCENT_BUNDLE_ACCESS_FILE: [
    '--access <file>',
    'JSON file that says how readers sign in; nobody else reads anything',
  ],
  DOCENT_BUNDLE_ASSISTANT: [
    '--assistant',
    'answer questions from the bundle, with the model in DOCENT_MODEL',
  ],
  DOCENT_BUNDLE_PLAYGROUND_PROXY: [
    '--playground-proxy',
    'proxy the calls of API pages that need it',
  ],
  DOCENT_BUNDLE_ANALYTICS: ['--analytics', 'record page views and events, for docent analytics'],
} as const;

/** Failing would put a red mark on every contribution from outside. */
const FORK_NOTE =
  'Nothing was published: the pull request comes from a fork, which gets no secrets, so there is no admin key. Run "docent check" for its report.';

/**
 * Creates the command line: every command with its options.
 * @param setExitCode receives the exit code of the command that ran
 */
export function createProgram(
  env: NodeJS.ProcessEnv,
  setExitCode: (code: number) => void,
): Command {
  const program = new Command('docent')
    .description('An open, self-hosted documentation platform.')
    .version(manifest.version, '--version', 'print the version')
    // "serve-bundle --version" is an option of that command.
    .enablePositionalOptions()
    .showHelpAfterError('(add --help for the options)')
    .exitOverride();
  const commands = createCommands(program, env, setExitCode);
  const { add, addLocal } = commands;

  addLocal(
    'serve',
    'Serve sites and the API, and run the jobs, in one process with embedded storage (DOCENT_PORT, DOCENT_DATA)',
  )
    .option('--sample', 'publish the documentation of Docent as the first site on the first start')
    .option(
      '--no-worker',
      'leave the jobs to processes of "docent worker" on the same PostgreSQL server',
    )
    .run(async (output, options: ServeOptions) =>
      (await loadServe()).runServe(env, options, output),
    );
  program
    .command('worker')
    .description(
      'Run jobs (publishing, exports); serves only health, readiness and metrics (DOCENT_PORT)',
    )
    .action(async () => {
      setExitCode(await (await loadServe()).runWorker(env, createOutput({})));
    });
  add(program, 'publish <source>', 'Publish a folder or a .tar.gz of documentation to a site')
    .requiredOption('--site <slug>', 'identifier of the site; created if it does not exist')
    .option(
      '--preview <name>',
      'publish it as this preview instead of live, for example the name of a branch',
    )
    .option(
      '--pull-requests',
      'in a CI job of a pull request, publish its preview, comment on it and set the status of its commit; once it is closed, end the preview',
    )
    .addOption(
      new Option('--fail-on <rule>', 'what makes the check of a pull request fail')
        .choices(CHECK_RULES)
        .default('builds'),
    )
    .option('--fail-on-answers', 'also if a test question loses its answer')
    .addOption(sourceOption())
    .option(...STRICT)
    .addOption(ruleOption())
    .option(
      '--commit <hash>',
      'hash of the commit; by default from Git or the variables of the CI service, like the next three',
    )
    .option('--branch <name>', 'its branch or tag')
    .option('--message <text>', 'its message')
    .option('--author <name>', 'its author')
    .run(
      async (api, output, source: string, options: PublishOptions) =>
        (await import('./manage/publish.ts')).runPublish(api, output, source, options, env),
      ({ url, key }) =>
        url !== undefined && !key && ciFactsOf(env).isFork ? FORK_NOTE : undefined,
    );
  const bundleOptions = Object.entries(BUNDLE_OPTIONS).map(([setting, [flags, description]]) => ({
    setting,
    option: new Option(flags, `${description} (${setting})`),
  }));
  const serveBundle = addLocal(
    'serve-bundle [link-or-file]',
    'Serve an exported site: fetches, verifies and serves its bundle, and updates it without downtime',
  );
  for (const { option } of bundleOptions) serveBundle.addOption(option);
  serveBundle.run(
    async (output, location: string | undefined, options: Record<string, string | true>) => {
      const settingEntries = bundleOptions.map(({ setting, option }) => [
        setting,
        options[option.attributeName()]?.toString(),
      ]);
      const { runServeBundle } = await import('./operate/serve-bundle.ts');
      return runServeBundle(
        env,
        { DOCENT_BUNDLE_URL: location, ...Object.fromEntries(settingEntries) },
        output,
      );
    },
  );
  addOperatorCommands(commands, env);
  addLocalCommands(commands, env);
  for (const addAll of [
    addSiteCommands,
    addSearchRulesCommand,
    addExperimentCommand,
    addDraftCommand,
    addDeploymentCommands,
    addGitCommands,
    addDirectoryCommands,
    addSignInCommands,
    addGitHubAppCommands,
    addSiteAccessCommands,
    addWebhookCommands,
    addExportCommands,
    addAnalyticsCommands,
    addAccessCommands,
  ])
    addAll(commands);
  return program;
}

/**
 * Runs one command line.
 * @param args without the program's name
 * @returns exit code, see `exitCodeOf`
 */
export async function runProgram(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  let exitCode = 0;
  const program = createProgram(env, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${forTerminal(describeError(error))}\n`);
    return exitCodeOf(error);
  }
}
