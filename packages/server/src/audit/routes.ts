import { AUDIT_KINDS, type AuditKind, auditSentence } from '@docent/format/access/audit-words.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { ROW_FORMATS, rowsAnswer, sendRows } from '../kernel/operations/exported-rows.ts';
import { listOf, pageOf, paging, plainText, range } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { auditRows, listAuditLog, MAX_EXPORTED_ENTRIES } from './audit-log.ts';

const outcome = z.enum(['done', 'refused', 'failed']);
const filter = (meaning: string) => plainText(0, 300).optional().describe(meaning);

const filters = {
  actor: filter('Only actions of this person or key: its id, or `operator`.'),
  action: filter('Only this operation, for example `createKey`.'),
  thing: filter('Only actions on this resource: its identifier, as in the entry.'),
  siteId: filter(
    'Only actions on this site and what belongs to it: its project id, also of a deleted site, or the identifier of a site.',
  ),
  kind: field.optional(
    z.enum(Object.keys(AUDIT_KINDS) as [AuditKind, ...AuditKind[]]),
    'Only changes of this kind.',
  ),
  outcome: outcome.optional().describe('Only actions with this outcome.'),
  q: filter(
    'Only entries that contain each of these words, in their sentence, names, identifiers, address or error.',
  ),
  ...range,
};

type Filters = z.infer<z.ZodObject<typeof filters>>;

/** Returns the filters as the use cases take them. */
const queryOf = ({ dateFrom: from, dateTo: to, q: text, ...rest }: Filters) => ({
  ...rest,
  from,
  to,
  text,
});

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

const change = field.resource('AuditChange', 'A changed property of a resource.', {
  field: field.text('The property.'),
  before: value.describe('Its value before; `null` if it had none.'),
  after: value.describe('Its value afterwards; `null` if it has none.'),
});

const entry = field.resource(
  'AuditEntry',
  'A management operation and its outcome.',
  {
    id: field.text('Identifier of the entry.'),
    time: field.time('When the operation ended.'),
    sentence: field.text('What happened, in English. For display; it may change.'),
    actor: field.text(
      'The actor: the id of a person or a key, `operator` for commands on the server, or `directory` for what SCIM sends.',
    ),
    actorKind: field.orNull(
      z.enum(['person', 'key', 'operator', 'directory']),
      'What the actor is; `null` if unknown.',
    ),
    actorName: field.text.orNull(
      'The name that the person or the key had then; `null` if unknown.',
    ),
    action: field.text('The operation: its `operationId` in this reference.'),
    thing: field.text.orNull(
      'The resource: the identifier in the path of the request, or the identifier of the created resource.',
    ),
    thingName: field.text.orNull(
      'The name that the resource had then; `null` if it has none or it is unknown.',
    ),
    siteId: field.text.orNull(
      'Project id of the site that it is about; `null` if it is about none.',
    ),
    siteName: field.text.orNull('The name that the site had then.'),
    changes: field.list(
      change,
      'The changed properties, without secrets. Empty if none changed or the operation failed.',
    ),
    address: field.text.orNull('Address of the caller; `null` for commands on the server.'),
    requestId: field.text.orNull(
      'The request, as in its header `X-Request-Id` and in the log of the server.',
    ),
    outcome: outcome.describe(
      '`refused`: the request was not allowed or invalid; `failed`: the server could not complete it.',
    ),
    code: field.text.orNull('The `code` of the error; `null` if the operation succeeded.'),
  },
  {
    id: '01K9Z5D1Q7X3V9B2N4M6T8R0SW',
    time: '2026-11-21T09:00:00.000Z',
    sentence: 'Ada Lovelace changed the assistant settings of Acme',
    actor: '01K9Z4C8M2R7X5V1B3N6P9Q0ST',
    actorKind: 'person' as const,
    actorName: 'Ada Lovelace',
    action: 'changeProjectAssistantSettings',
    thing: 'acme',
    thingName: null,
    siteId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
    siteName: 'Acme',
    changes: [{ field: 'retentionDays', before: 90, after: 30 }],
    address: '203.0.113.7',
    requestId: 'req-7f3a',
    outcome: 'done' as const,
    code: null,
  },
);

/** `GET /v1/audit-log`, `GET /v1/audit-log/export` */
export function auditLogRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Audit log');
  operation({
    route: 'GET /v1/audit-log',
    operationId: 'listAuditLog',
    summary: 'List the audit log',
    description:
      'Lists who changed what in your organization, newest first: keys, sites, uploads, exports and settings, including refused changes. Entries are kept for one year by default. Names are those at the time of the change.',
    permission: 'audit.read',
    query: z.object({ ...filters, ...paging(1000, 100) }),
    answer: listOf(entry, 'The entries, newest first.'),
    run: async ({ actor, query: { cursor, limit, ...asked } }) => {
      const page = await listAuditLog(deps, actor, { ...queryOf(asked), cursor, limit });
      return pageOf(page, ({ at: time, ...row }) => ({
        ...row,
        time,
        sentence: auditSentence(row),
      }));
    },
  });
  operation({
    route: 'GET /v1/audit-log/export',
    operationId: 'exportAuditLog',
    summary: 'Export the audit log',
    description: `Streams the entries that match, newest first and at most ${MAX_EXPORTED_ENTRIES}, as CSV or as one JSON object per line. Cells that a spreadsheet would interpret as a formula begin with an apostrophe.`,
    permission: 'audit.read',
    query: z.object({ format: ROW_FORMATS, ...filters }),
    answer: rowsAnswer('time,sentence\r\n2026-11-21T09:00:00.000Z,Ada Lovelace published Acme\r\n'),
    run: ({ actor, query: { format, ...asked }, reply }) =>
      sendRows(reply, { name: 'audit-log', format, rows: auditRows(deps, actor, queryOf(asked)) }),
  });
}
