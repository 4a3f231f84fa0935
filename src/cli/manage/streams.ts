import { type Command, Option } from 'commander';
import type { Schema } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';
import type { ServerCommands, SiteOptions } from './server-commands.ts';

const pathOf = (site: string, rest = ''): string => `/v1/projects/${encodeURIComponent(site)}/analytics-streams${rest}`;
const pathOfOne = (site: string, id: string, rest = ''): string => pathOf(site, `/${encodeURIComponent(id)}${rest}`);
const targetOf = ({ webhook, s3 }: Schema<'AnalyticsStream'>): string => webhook?.url ?? `s3://${s3?.bucket}/${s3?.prefix}`;

interface BucketOptions {
  bucket?: string;
  prefix?: string;
  endpoint?: string;
  region?: string;
  pathStyle?: boolean;
  accessKeyId?: string;
  secretAccessKey?: string;
}

interface TargetOptions extends SiteOptions, BucketOptions {
  name?: string;
  webhook?: string;
}

interface CreateOptions extends TargetOptions {
  oldest?: boolean;
}

interface ChangeOptions extends TargetOptions {
  on?: boolean;
  off?: boolean;
}

/** `docent streams …` */
export function addStreamCommands({ program, addForSite, action }: ServerCommands): void {
  const streams = program.command('streams').description('Send the analytics events of a site to a webhook or a bucket');
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

  addForSite(streams, 'list', 'List the streams of a site, with their deliveries').action(
    action(async (api, output, { site }: SiteOptions) => {
      const answer = await api.request<{ items: Schema<'AnalyticsStream'>[] }>({ method: 'GET', path: pathOf(site) });
      const rows = answer.items.map((one) => [
        one.id,
        one.enabled ? 'on' : 'off',
        targetOf(one),
        String(one.backlog),
        String(one.delivered),
        String(one.dropped),
        one.lastDeliveredAt ?? 'never',
        one.name,
      ]);
      const head = ['ID', 'STATE', 'TARGET', 'BACKLOG', 'DELIVERED', 'DROPPED', 'LAST DELIVERY', 'NAME'];
      output.print(formatTable([head, ...rows]));
      output.json(answer);
    }),
  );
  withTarget(addForSite(streams, 'create', 'Create a stream to a webhook or a bucket, and print the secret of a webhook'))
    .requiredOption('--name <name>', 'name of the stream')
    .option('--oldest', 'start with the stored events')
    .action(
      action(async (api, output, options: CreateOptions) => {
        const { site, name, oldest } = options;
        const body = { name, startAt: oldest ? 'oldest' : 'now', ...requestedTarget(options) };
        show(await api.request({ method: 'POST', path: pathOf(site), body }), output);
      }),
    );
  addForSite(streams, 'show <id>', 'Show a stream, with its last delivery and its last error').action(
    action(async (api, output, id: string, { site }: SiteOptions) => {
      show(await api.request({ method: 'GET', path: pathOfOne(site, id) }), output);
    }),
  );
  withTarget(addForSite(streams, 'change <id>', 'Change a stream; retries a failed delivery immediately'))
    .option('--name <name>', 'name of the stream')
    .option('--on', 'deliver events')
    .option('--off', 'pause deliveries until it is turned on again')
    .action(
      action(async (api, output, id: string, options: ChangeOptions) => {
        const { name, on, off, site } = options;
        const body = {
          ...(name && { name }),
          ...(on && { enabled: true }),
          ...(off && { enabled: false }),
          ...requestedTarget(options),
        };
        show(await api.request({ method: 'PATCH', path: pathOfOne(site, id), body }), output);
      }),
    );
  addForSite(streams, 'rotate-secret <id>', 'Rotate the secret of a webhook; the old one stays valid for a day').action(
    action(async (api, output, id: string, { site }: SiteOptions) => {
      show(await api.request({ method: 'POST', path: pathOfOne(site, id, '/rotate-secret') }), output);
    }),
  );
  addForSite(streams, 'test <id>', 'Send a batch with one test event; exits with 1 if the receiver rejects it').action(
    action(async (api, output, id: string, { site }: SiteOptions) => {
      const path = pathOfOne(site, id, '/test');
      const result = await api.request<{ delivered: boolean; error: string | null }>({ method: 'POST', path });
      output.print(result.error ?? 'Delivered.');
      output.json(result);
      return result.delivered ? 0 : 1;
    }),
  );
  addForSite(streams, 'delete <id>', 'Delete a stream; what it has not delivered yet is not delivered').action(
    action(async (api, output, id: string, { site }: SiteOptions) => {
      await api.request({ method: 'DELETE', path: pathOfOne(site, id) });
      output.print(`Deleted ${id}.`);
      output.json({ deleted: id });
    }),
  );
}

function requestedTarget({ webhook, ...options }: TargetOptions): object {
  const { bucket, prefix, endpoint, region, pathStyle, accessKeyId, secretAccessKey } = options;
  const named = { bucket, prefix, endpoint, region, forcePathStyle: pathStyle, accessKeyId, secretAccessKey };
  const s3 = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  return { ...(webhook !== undefined && { webhook: { url: webhook } }), ...(Object.keys(s3).length > 0 && { s3 }) };
}

function show(one: Schema<'AnalyticsStream'> & { secret?: string | null }, output: Output): void {
  output.print(`${one.id} sends to ${targetOf(one)} and is ${one.enabled ? 'on' : 'off'}.`);
  output.print(`${one.backlog} events pending, ${one.delivered} delivered, ${one.dropped} expired before delivery.`);
  if (one.lastDeliveredAt !== null) output.print(`Last delivery: ${one.lastDeliveredAt}`);
  if (one.lastError !== null) output.print(`Last error, ${one.lastErrorAt}: ${one.lastError}`);
  if (one.secret) output.print(`The secret, shown only once: ${one.secret}`);
  output.json(one);
}
