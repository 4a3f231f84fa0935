import { FEEDBACK_STATUSES } from '@docent/format/analytics/feedback.ts';
import { DocentError } from '@docent/format/errors.ts';
import { Option } from 'commander';
import type { ApiClient, Schema } from '../kernel/api-client.ts';
import {
  apiPath,
  type Commands,
  type PageOptions,
  printPage,
  readCount,
  type ServerCommand,
  type SiteOptions,
  type Texts,
  withPaging,
  withQuery,
} from '../kernel/commands.ts';
import { formatTable, makerName, type Output } from '../kernel/output.ts';

/** `docent live`, `docent feedback …` and `docent streams …` */
export function addAnalyticsCommands(commands: Commands): void {
  const { program, addForSite } = commands;
  addForSite(
    program,
    'live',
    'Show current readers of a site: readers, pages, sources and machines of the last 30 minutes',
  )
    .option('--path <path>', 'only this page, for example /guides/start')
    .option('--language <language>', 'only pages in this language')
    .option('--limit <count>', 'maximum number of rows of each list, 1 to 100', readCount(100), 10)
    .run(showLive);
  const feedback = program
    .command('feedback')
    .description('Read and triage feedback from readers and agents');
  const list = addForSite(feedback, 'list', 'List the feedback of a site, newest first')
    .choice('--status <status>', 'only feedback in this state', FEEDBACK_STATUSES)
    .choice('--about <kind>', 'only feedback on pages, or on answers', ['page', 'answer'])
    .choice('--helpful <answer>', 'only helpful, or only unhelpful', ['yes', 'no'])
    .option('--path <path>', 'only this page, for example /guides/start')
    .option('--language <language>', 'only pages in this language')
    .option('--previews', 'only feedback on previews, which is excluded by default')
    .option('--from <date>', 'from this day or time on')
    .option('--to <date>', 'until this day or time');
  withPaging(list, 100, 20).run(listFeedback);
  addForSite(feedback, 'change <id>', 'Set the status or note of feedback')
    .choice('--status <status>', 'its new status', FEEDBACK_STATUSES)
    .option('--note <text>', 'a note for your colleagues; an empty text removes it')
    .run(changeFeedback);
  addForSite(feedback, 'delete <id>', 'Delete feedback, for example with personal data').run(
    async (api, output, id: string, { site }: SiteOptions) => {
      await api.delete(apiPath`/v1/analytics/${site}/feedback/${id}`);
      output.result(`Deleted the feedback ${id}.`, { id, deleted: true });
    },
  );
  addStreamCommands(commands);
}

type LiveOptions = SiteOptions & Texts<'path' | 'language'> & { limit: number };

interface Live {
  at: string;
  last5Minutes: Schema<'LiveCounts'>;
  last30Minutes: Schema<'LiveCounts'>;
  pages: (Schema<'LiveCounts'> & { path: string })[];
  sources: { source: string; readers: number; views: number }[];
  machines: { class: string; agent: string; requests: number }[];
}

/**
 * Prints the current readers of a site, with the pages, sources and machines of the last 30
 * minutes.
 */
export async function showLive(
  api: ApiClient,
  output: Output,
  { site, limit, path, language }: LiveOptions,
): Promise<void> {
  const address = withQuery(apiPath`/v1/analytics/${site}/live`, { limit, path, language });
  const live = await api.get<Live>(address);
  const { at, last5Minutes, last30Minutes, pages, sources, machines } = live;
  const text = `${at}\n${countsText(last5Minutes)} in the last 5 minutes\n${countsText(last30Minutes)} in the last 30 minutes`;
  const lists = [
    [
      ['PAGE', 'READERS', 'VIEWS', 'AI VIEWS'],
      ...pages.map((row) => [row.path, row.readers, row.views, row.aiViews]),
    ],
    [
      ['SOURCE', 'READERS', 'VIEWS'],
      ...sources.map((row) => [row.source || '-', row.readers, row.views]),
    ],
    [
      ['MACHINE', 'CLASS', 'REQUESTS'],
      ...machines.map((row) => [row.agent || '-', row.class, row.requests]),
    ],
  ];
  const tables = lists
    .filter((rows) => rows.length > 1)
    .map((rows) => formatTable(rows.map((row) => row.map(String))));
  output.result([text, ...tables].join('\n\n'), live);
}

const countsText = ({ readers, views, aiViews }: Schema<'LiveCounts'>) =>
  `${readers} readers, ${views} views, ${aiViews} views by AI`;

type FeedbackTexts = Texts<'status' | 'about' | 'helpful' | 'path' | 'language' | 'from' | 'to'>;
type FeedbackOptions = SiteOptions & PageOptions & FeedbackTexts & { previews?: boolean };
type ChangeFeedbackOptions = SiteOptions & Texts<'status' | 'note'>;

/** `docent feedback list`: lists feedback of readers and agents, newest first. */
export async function listFeedback(
  api: ApiClient,
  output: Output,
  options: FeedbackOptions,
): Promise<void> {
  const {
    site,
    url: _url,
    key: _key,
    json: _json,
    helpful,
    from: dateFrom,
    to: dateTo,
    ...named
  } = options;
  const isHelpful = helpful === undefined ? undefined : helpful === 'yes';
  const path = withQuery(apiPath`/v1/analytics/${site}/feedback`, {
    ...named,
    helpful: isHelpful,
    dateFrom,
    dateTo,
  });
  const page = await api.get<{ feedback: Schema<'Feedback'>[]; nextCursor: string | null }>(path);
  printPage(output, page, [
    ['ID', 'TIME', 'HELPFUL', 'STATUS', 'ABOUT', 'SAID'],
    ...page.feedback.map(cellsOf),
  ]);
}

/**
 * `docent feedback change`: sets status or note. @throws DocentError `invalid_request` if neither is given
 */
export async function changeFeedback(
  api: ApiClient,
  output: Output,
  id: string,
  { site, status, note }: ChangeFeedbackOptions,
): Promise<void> {
  if (status === undefined && note === undefined)
    throw new DocentError('invalid_request', 'Specify what to change: --status, --note or both.');
  const body = { status, note: note === '' ? null : note };
  const changed = await api.patch<Schema<'Feedback'>>(
    apiPath`/v1/analytics/${site}/feedback/${id}`,
    body,
  );
  output.result(
    `${changed.id} is ${changed.status}.${changed.note === null ? '' : ` Note: ${oneLine(changed.note)}`}`,
    changed,
  );
}

function cellsOf({
  id,
  createdAt,
  helpful,
  status,
  about,
  path,
  reason,
  comment,
  question,
}: Schema<'Feedback'>): string[] {
  const subject =
    about === 'answer' ? `answer: ${oneLine(question ?? '').slice(0, 60)}` : (path ?? '-');
  const text = [reason, comment && oneLine(comment)].filter(Boolean).join(': ');
  return [
    id,
    createdAt,
    helpful === null ? '-' : helpful ? 'yes' : 'no',
    status,
    subject,
    text || '-',
  ];
}

/** Text that readers wrote must not control the terminal. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 200);
}

const streamsPath = (site: string): string => apiPath`/v1/projects/${site}/analytics-streams`;
const streamPath = (site: string, id: string): string =>
  apiPath`/v1/projects/${site}/analytics-streams/${id}`;
const targetOf = ({ webhook, s3 }: Schema<'AnalyticsStream'>): string =>
  webhook?.url ?? `s3://${s3?.bucket}/${s3?.prefix}`;

type TargetTexts = Texts<
  | 'name'
  | 'webhook'
  | 'bucket'
  | 'prefix'
  | 'endpoint'
  | 'region'
  | 'accessKeyId'
  | 'secretAccessKey'
>;
type TargetOptions = SiteOptions & TargetTexts & { pathStyle?: boolean };

function addStreamCommands({ program, addForSite }: Commands): void {
  const streams = program
    .command('streams')
    .description('Send the analytics events of a site to a webhook or a bucket');
  const withTarget = (command: ServerCommand) =>
    command
      .option('--webhook <address>', 'URL that receives each batch')
      .option('--bucket <name>', 'bucket that stores each batch')
      .option('--prefix <prefix>', 'prefix of every object name, with a trailing slash')
      .option('--endpoint <address>', 'URL of a store other than AWS')
      .option('--region <region>', 'region of the bucket')
      .option('--path-style', 'use path-style addresses')
      .addOption(
        new Option('--access-key-id <id>', 'access key of the bucket').env(
          'DOCENT_STREAM_ACCESS_KEY_ID',
        ),
      )
      .addOption(
        new Option('--secret-access-key <secret>', 'secret of the access key').env(
          'DOCENT_STREAM_SECRET_ACCESS_KEY',
        ),
      );

  addForSite(streams, 'list', 'List the streams of a site, with their deliveries').run(
    async (api, output, { site }: SiteOptions) => {
      const answer = await api.get<{ items: Schema<'AnalyticsStream'>[] }>(streamsPath(site));
      const rows = answer.items.map((stream) => [
        stream.id,
        stream.enabled ? 'on' : 'off',
        targetOf(stream),
        String(stream.backlog),
        String(stream.delivered),
        String(stream.dropped),
        stream.lastDeliveredAt ?? 'never',
        makerName(stream.createdBy),
        stream.name,
      ]);
      const head = [
        'ID',
        'STATE',
        'TARGET',
        'BACKLOG',
        'DELIVERED',
        'DROPPED',
        'LAST DELIVERY',
        'BY',
        'NAME',
      ];
      output.result(formatTable([head, ...rows]), answer);
    },
  );
  withTarget(
    addForSite(
      streams,
      'create',
      'Create a stream to a webhook or a bucket, and print the secret of a webhook',
    ),
  )
    .requiredOption('--name <name>', 'name of the stream')
    .option('--oldest', 'start with the stored events')
    .run(async (api, output, options: TargetOptions & { oldest?: boolean }) => {
      const { site, name, oldest } = options;
      const body = { name, startAt: oldest ? 'oldest' : 'now', ...requestedTarget(options) };
      showStream(await api.post(streamsPath(site), body), output);
    });
  addForSite(streams, 'show <id>', 'Show a stream, with its last delivery and its last error').run(
    async (api, output, id: string, { site }: SiteOptions) =>
      showStream(await api.get(streamPath(site, id)), output),
  );
  withTarget(
    addForSite(streams, 'change <id>', 'Change a stream; retries a failed delivery immediately'),
  )
    .option('--name <name>', 'name of the stream')
    .option('--on', 'deliver events')
    .option('--off', 'pause deliveries until it is turned on again')
    .run(
      async (api, output, id: string, options: TargetOptions & { on?: boolean; off?: boolean }) => {
        const { name, on, off, site } = options;
        const body = { name, enabled: off ? false : on, ...requestedTarget(options) };
        showStream(await api.patch(streamPath(site, id), body), output);
      },
    );
  addForSite(
    streams,
    'rotate-secret <id>',
    'Rotate the secret of a webhook; the old one stays valid for a day',
  ).run(async (api, output, id: string, { site }: SiteOptions) =>
    showStream(await api.post(`${streamPath(site, id)}/rotate-secret`), output),
  );
  addForSite(
    streams,
    'test <id>',
    'Send a batch with one test event; exits with 1 if the receiver rejects it',
  ).run(async (api, output, id: string, { site }: SiteOptions) => {
    const path = `${streamPath(site, id)}/test`;
    const result = await api.post<{ delivered: boolean; error: string | null }>(path);
    output.result(result.error ?? 'Delivered.', result);
    return result.delivered ? 0 : 1;
  });
  addForSite(
    streams,
    'delete <id>',
    'Delete a stream; what it has not delivered yet is not delivered',
  ).run(async (api, output, id: string, { site }: SiteOptions) => {
    await api.delete(streamPath(site, id));
    output.result(`Deleted ${id}.`, { deleted: id });
  });
}

function requestedTarget({ webhook, ...options }: TargetOptions): object {
  const { bucket, prefix, endpoint, region, pathStyle, accessKeyId, secretAccessKey } = options;
  const s3 = {
    bucket,
    prefix,
    endpoint,
    region,
    forcePathStyle: pathStyle,
    accessKeyId,
    secretAccessKey,
  };
  const hasS3 = Object.values(s3).some((value) => value !== undefined);
  return {
    webhook: webhook === undefined ? undefined : { url: webhook },
    s3: hasS3 ? s3 : undefined,
  };
}

function showStream(
  stream: Schema<'AnalyticsStream'> & { secret?: string | null },
  output: Output,
): void {
  const lines = [
    `${stream.id} sends to ${targetOf(stream)} and is ${stream.enabled ? 'on' : 'off'}.`,
    `${stream.backlog} events pending, ${stream.delivered} delivered, ${stream.dropped} expired before delivery.`,
  ];
  if (stream.lastDeliveredAt !== null) lines.push(`Last delivery: ${stream.lastDeliveredAt}`);
  if (stream.lastError !== null)
    lines.push(`Last error, ${stream.lastErrorAt}: ${stream.lastError}`);
  if (stream.secret) lines.push(`The secret, shown only once: ${stream.secret}`);
  output.result(lines.join('\n'), stream);
}
