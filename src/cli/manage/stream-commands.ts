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
      .option('--webhook <address>', 'address that gets each batch')
      .option('--bucket <name>', 'bucket that each batch is put in')
      .option('--prefix <prefix>', 'stands before the name of every object, with a slash at its end')
      .option('--endpoint <address>', 'address of a store that is not AWS')
      .option('--region <region>', 'region of the bucket')
      .option('--path-style', 'the bucket stands in the path of an address')
      .addOption(new Option('--access-key-id <id>', 'access key of the bucket').env('DOCENT_STREAM_ACCESS_KEY_ID'))
      .addOption(new Option('--secret-access-key <secret>', 'secret of the access key').env('DOCENT_STREAM_SECRET_ACCESS_KEY'));

  command('list', 'List the streams of a site, with what was delivered').action((options: StreamOptions) =>
    run(options, async (api, output) => (await load()).listStreams(api, options.site, output)),
  );
  withTarget(command('create', 'Create a stream to a webhook or a bucket, and print the secret of a webhook'))
    .requiredOption('--name <name>', 'name of the stream')
    .option('--oldest', 'begin with the events that are still kept')
    .action((options: TargetOptions & { oldest?: boolean }) =>
      run(options, async (api, output) => {
        const start = { name: options.name, startAt: options.oldest ? 'oldest' : 'now' };
        await (await load()).createStream(api, options.site, { ...start, ...targetOf(options) }, output);
      }),
    );
  command('show <id>', 'Show a stream, with its last delivery and its last error').action((id: string, options: StreamOptions) =>
    run(options, async (api, output) => (await load()).showStream(api, options.site, id, output)),
  );
  withTarget(command('change <id>', 'Change a stream; a failed delivery is tried again at once'))
    .option('--name <name>', 'name of the stream')
    .option('--on', 'deliver events')
    .option('--off', 'deliver nothing until it is turned on again')
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
  command('rotate-secret <id>', 'Give a webhook a new secret; the former one signs too for a day').action(
    (id: string, options: StreamOptions) =>
      run(options, async (api, output) => (await load()).rotateSecret(api, options.site, id, output)),
  );
  command('test <id>', 'Send a batch with one test event; exits with 1 where it is not taken').action(
    (id: string, options: StreamOptions) =>
      run(options, async (api, output) => (await load()).testStream(api, options.site, id, output)),
  );
  command('delete <id>', 'Delete a stream; what it has not delivered yet is not delivered').action(
    (id: string, options: StreamOptions) =>
      run(options, async (api, output) => (await load()).deleteStream(api, options.site, id, output)),
  );
}

/** The target in a request, of the options that are given. */
function targetOf({ webhook, ...options }: TargetOptions): object {
  const { bucket, prefix, endpoint, region, pathStyle, accessKeyId, secretAccessKey } = options;
  const named = { bucket, prefix, endpoint, region, forcePathStyle: pathStyle, accessKeyId, secretAccessKey };
  const s3 = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  return { ...(webhook !== undefined && { webhook: { url: webhook } }), ...(Object.keys(s3).length > 0 && { s3 }) };
}
