import { type Command, Option } from 'commander';
import type { ApiClient } from '../api-client.ts';
import { createOutput, type Output } from '../output.ts';

interface StreamOptions {
  site: string;
  url?: string;
  key?: string;
  json?: boolean;
}

interface BucketOptions {
  bucket?: string;
  prefix?: string;
  endpoint?: string;
  region?: string;
  pathStyle?: boolean;
  accessKeyId?: string;
  secretAccessKey?: string;
}

interface TargetOptions extends StreamOptions, BucketOptions {
  name?: string;
  webhook?: string;
}

/** `docent streams …` */
export function addStreamCommands(
  program: Command,
  withServer: (command: Command) => Command,
  env: NodeJS.ProcessEnv,
  setExitCode: (code: number) => void,
): void {
  const streams = program.command('streams').description('Send the analytics events of a site to a webhook or a bucket');
  const load = () => import('./streams.ts');
  const run = async (options: StreamOptions, act: (api: ApiClient, output: Output) => Promise<unknown>) => {
    const code = await (await import('../connect.ts')).withApi(env, options, (api) => act(api, createOutput(options)));
    if (typeof code === 'number') setExitCode(code);
  };
  const command = (usage: string, description: string) =>
    withServer(streams.command(usage)).description(description).requiredOption('--site <slug>', 'identifier of the site');
  const withTarget = (one: Command) =>
    one
      .option('--webhook <address>', 'URL that receives each batch')
      .option('--bucket <name>', 'bucket that stores each batch')
      .option('--prefix <prefix>', 'prefix of every object name, with a trailing slash')
      .option('--endpoint <address>', 'URL of a store other than AWS')
      .option('--region <region>', 'region of the bucket')
      .option('--path-style', 'use path-style addresses')
      .addOption(new Option('--access-key-id <id>', 'access key of the bucket').env('DOCENT_STREAM_ACCESS_KEY_ID'))
      .addOption(new Option('--secret-access-key <secret>', 'secret of the access key').env('DOCENT_STREAM_SECRET_ACCESS_KEY'));

  command('list', 'List the streams of a site, with their deliveries').action((options: StreamOptions) =>
    run(options, async (api, output) => (await load()).listStreams(api, options.site, output)),
  );
  withTarget(command('create', 'Create a stream to a webhook or a bucket, and print the secret of a webhook'))
    .requiredOption('--name <name>', 'name of the stream')
    .option('--oldest', 'start with the stored events')
    .action((options: TargetOptions & { oldest?: boolean }) =>
      run(options, async (api, output) => {
        const start = { name: options.name, startAt: options.oldest ? 'oldest' : 'now' };
        await (await load()).createStream(api, options.site, { ...start, ...targetOf(options) }, output);
      }),
    );
  command('show <id>', 'Show a stream, with its last delivery and its last error').action((id: string, options: StreamOptions) =>
    run(options, async (api, output) => (await load()).showStream(api, options.site, id, output)),
  );
  withTarget(command('change <id>', 'Change a stream; retries a failed delivery immediately'))
    .option('--name <name>', 'name of the stream')
    .option('--on', 'deliver events')
    .option('--off', 'pause deliveries until it is turned on again')
    .action((id: string, options: TargetOptions & { on?: boolean; off?: boolean }) =>
      run(options, async (api, output) => {
        const { name, on, off, site } = options;
        const changes = {
          ...(name && { name }),
          ...(on && { enabled: true }),
          ...(off && { enabled: false }),
          ...targetOf(options),
        };
        await (await load()).changeStream(api, site, { id, changes }, output);
      }),
    );
  command('rotate-secret <id>', 'Rotate the secret of a webhook; the old one stays valid for a day').action(
    (id: string, options: StreamOptions) =>
      run(options, async (api, output) => (await load()).rotateSecret(api, options.site, id, output)),
  );
  command('test <id>', 'Send a batch with one test event; exits with 1 if the receiver rejects it').action(
    (id: string, options: StreamOptions) =>
      run(options, async (api, output) => (await load()).testStream(api, options.site, id, output)),
  );
  command('delete <id>', 'Delete a stream; what it has not delivered yet is not delivered').action(
    (id: string, options: StreamOptions) =>
      run(options, async (api, output) => (await load()).deleteStream(api, options.site, id, output)),
  );
}

/** Returns the target of a request from the given options. */
function targetOf({ webhook, ...options }: TargetOptions): object {
  const { bucket, prefix, endpoint, region, pathStyle, accessKeyId, secretAccessKey } = options;
  const named = { bucket, prefix, endpoint, region, forcePathStyle: pathStyle, accessKeyId, secretAccessKey };
  const s3 = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  return { ...(webhook !== undefined && { webhook: { url: webhook } }), ...(Object.keys(s3).length > 0 && { s3 }) };
}
