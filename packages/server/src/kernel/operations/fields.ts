import { createHash } from 'node:crypto';
import { dependencyNames } from '@docent/format/dependencies.ts';
import * as z from 'zod';
import { PASSWORD_LENGTH } from '../../ports/accounts.ts';
import * as field from './described.ts';

/** Text for the database: PostgreSQL does not support U+0000 in text, and no one needs it. */
export function plainText(minLength: number, maxLength: number) {
  return z
    .string()
    .min(minLength)
    .max(maxLength)
    .regex(/^[^\u0000]*$/, 'must not contain the character U+0000');
}

/**
 * A name of a person or an organization, which mail and other people's screens show: it has no
 * characters that break a line or change its direction, and no address that a mail program makes a
 * link.
 */
export function shownName(maxLength: number) {
  return plainText(1, maxLength)
    .regex(
      /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u,
      'must be one line without control characters',
    )
    .refine((name) => !name.includes('://'), 'must not contain an address');
}

/** An address that the server calls; the guard of outside calls checks it on each call. */
export const callAddress = z
  .string()
  .max(2000)
  .refine((address) => {
    const url = URL.parse(address);
    return (
      url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash
    );
  }, 'must be an http or https address without a user name, password or fragment');

const text = z.string();

/** The parameters in paths, by name. */
const pathParameters = {
  projectId: text.meta({
    description: 'Project id of the site. Its identifier and its hostnames are accepted too.',
    examples: ['acme'],
  }),
  domain: text.meta({
    description: "The site's identifier, or one of its hostnames.",
    examples: ['acme'],
  }),
  chatId: text.meta({
    description: 'Identifier of the chat in the client.',
    examples: ['chat-1'],
  }),
  deploymentId: text.meta({
    description: 'Identifier of the deployment.',
    examples: ['01K9Z52N4T8W6X3C1V7B9M0QRS'],
  }),
  statusId: text.meta({
    description: 'The `statusId` that the operation which started the build returned.',
    examples: ['01K9Z52N4T8W6X3C1V7B9M0QRS'],
  }),
  previewName: text.meta({
    description: 'Name of the preview.',
    examples: ['feature-new-start'],
  }),
  hostname: text.meta({
    description: 'Hostname of the site.',
    examples: ['docs.acme.example'],
  }),
  jobId: text.meta({
    description: 'Identifier of the job: `se_` and 16 hexadecimal digits.',
    examples: ['se_3f9a2c1b8e7d4a06'],
  }),
  streamId: text.meta({
    description: 'Id of the stream.',
    examples: ['01KAN3R8Z5W6Q1T2V7X9Y0B4CD'],
  }),
  sessionId: text
    .max(64)
    .meta({ description: 'Identifier of the session.', examples: ['01KAN3R8Z5W6Q1T2V7X9Y0B4CD'] }),
  readerId: text
    .max(64)
    .meta({ description: 'Identifier of the entry.', examples: ['01KAN3R8Z5W6Q1T2V7X9Y0B4CD'] }),
  webhookId: text.meta({
    description: 'Identifier of the webhook.',
    examples: ['01KAN3R8Z5W6Q1T2V7X9Y0B4CD'],
  }),
  deliveryId: text.meta({
    description: 'Identifier of the delivery.',
    examples: ['01KAN3R8Z5W6Q1T2V7X9Y0B4CE'],
  }),
  sourceId: text.meta({
    description: 'Id of the Git source.',
    examples: ['01KAN3R8Z5W6Q1T2V7X9Y0B4CD'],
  }),
  githubAppId: text.meta({
    description: 'Identifier of the GitHub App.',
    examples: ['01KAN3R8Z5W6Q1T2V7X9Y0B4CD'],
  }),
  pullNumber: text
    .regex(/^[1-9]\d{0,9}$/, 'must be a number')
    .meta({ description: 'Number of the pull request.', examples: ['12'] }),
  threadId: text.meta({
    description: 'Identifier of the conversation.',
    examples: ['01K9Z3W6Y7QJ5T8B2M4N6P8R0S'],
  }),
  feedbackId: text
    .max(64)
    .meta({ description: 'Identifier of the feedback.', examples: ['01K9Z52N4T8W6X3C1V7B9M0QRS'] }),
  keyId: text.meta({
    description: 'Identifier of the key.',
    examples: ['01K9Z4C8M2R7X5V1B3N6P9Q0ST'],
  }),
  userId: text
    .max(100)
    .meta({ description: 'Identifier of the person.', examples: ['01K9Z4C8M2R7X5V1B3N6P9Q0ST'] }),
  invitationId: text.max(100).meta({
    description: 'Identifier of the invitation.',
    examples: ['01K9Z5D0G4H8J2K6M1N3P5Q7RT'],
  }),
  token: text
    .max(200)
    .meta({ description: 'The token of the link.', examples: ['nNQ0PC3nC5oGQd1d'] }),
  user: text
    .max(254)
    .meta({ description: 'Id or email address of the account.', examples: ['ada@acme.example'] }),
};

/** The names of the parameters of a path. */
export type ParamName<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** Returns the schema of the parameters of a path, such as `/v1/keys/:keyId`. */
export function pathParams<Path extends string>(path: Path) {
  const names = [...path.matchAll(/:(\w+)/g)].map(
    ([, name]) => name as keyof typeof pathParameters,
  );
  const shape = Object.fromEntries(names.map((name) => [name, pathParameters[name]]));
  return z.object(shape as { [Name in ParamName<Path>]: z.ZodString });
}

/** The usual form of an email address; only delivery proves it. */
export const emailAddress = z
  .email()
  .max(254)
  .meta({ description: 'Email address.', examples: ['ada@acme.example'] });

export const newPassword = z
  .string()
  .min(PASSWORD_LENGTH.min, `must have at least ${PASSWORD_LENGTH.min} characters`)
  .max(PASSWORD_LENGTH.max, `must have at most ${PASSWORD_LENGTH.max} characters`)
  .describe(`Password, ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`);

export const personName = shownName(100).describe('Name of the person.');

/** The parameters of a list. */
export const paging = (maxRows: number, rows: number) => ({
  cursor: z.string().max(200).optional().describe('The `nextCursor` of the previous response.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxRows)
    .default(rows)
    .describe('Maximum number of items to return.'),
});

export const pageEnd = {
  nextCursor: field.text.orNull(
    'Send it as `cursor` to get the next page. `null` on the last page.',
  ),
  hasMore: field.flag('Whether there are more items.'),
};

/** Returns the values of `pageEnd`. */
export function endOf({ nextCursor }: { nextCursor: string | null }) {
  return { nextCursor, hasMore: nextCursor !== null };
}

/**
 * Returns the schema of a list.
 * @param olderName the name that older clients read `items` by
 */
export function listOf<Item extends z.ZodType, OlderName extends string = never>(
  item: Item,
  description: string,
  olderName?: OlderName,
) {
  const older = olderName && {
    [olderName]: field.list(item, 'The same as `items`, for older clients.'),
  };
  return z.object({
    items: field.list(item, description),
    ...(older as Record<OlderName, z.ZodArray<Item>>),
    ...pageEnd,
  });
}

/** Returns a page of a list in the form of `listOf`. */
export function pageOf<Row, Item, OlderName extends string = never>(
  { rows, nextCursor }: { rows: readonly Row[]; nextCursor: string | null },
  view: (row: Row) => Item,
  olderName?: OlderName,
) {
  const items = rows.map(view);
  const older = olderName && { [olderName]: items };
  return { items, ...(older as Record<OlderName, Item[]>), ...endOf({ nextCursor }) };
}

/** Returns a strong `ETag` of the changeable properties of a resource (RFC 9110 §8.8.3). */
export function etagOf(state: object): string {
  return `"${createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16)}"`;
}

/** The header that makes a change conditional on the state that the caller knows. */
export const ifMatchHeader = z.object({
  'if-match': field.optional(
    z.string().max(500),
    'The `ETag` of the last state you read: the change is refused with 412 if the resource has changed since.',
  ),
});

/**
 * Returns whether a change of a resource in this state may proceed (RFC 9110 §13.1.1). Without the
 * header it always may.
 */
export function meetsIfMatch(ifMatch: string | undefined, state: object): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((etag) => etag.trim() === etagOf(state));
}

/** What unfinished work waits for. */
export const waitingForField = field.orNull(
  z.enum(dependencyNames),
  'What it waits for while that is unavailable; it goes on by itself. `null` if it waits for nothing.',
);

/** How many come before queued work. */
export const queuePositionField = field.orNull(
  z.int().min(0),
  'How many come before it in the queue, as it stands now: 0 if it is next. Work of others can still overtake it, so that everybody gets a turn. `null` unless it is `queued`.',
);

/** The request that started work. */
export const requestIdField = field.text.orNull(
  'The request that started it, as in its header `X-Request-Id`, in the audit log and in the log of the server; `null` if it was not a request, and for older ones.',
);

/** A time that the database can compare with: PostgreSQL has no year 0. */
export function timeOf<Text extends z.ZodType<string>>(text: Text) {
  return text
    .transform((value) => new Date(value))
    .refine((date) => date.getUTCFullYear() >= 1, 'must not be before the year 0001');
}

const time = timeOf(z.union([z.iso.date(), z.iso.datetime({ offset: true })]));

/** The time range of reports and lists of events. */
export const range = {
  dateFrom: field.optional(
    time,
    'Start of the period, inclusive: a date (UTC) or a time in ISO 8601.',
  ),
  dateTo: field.optional(time, 'End of the period, exclusive: a date (UTC) or a time in ISO 8601.'),
};
