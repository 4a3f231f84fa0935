import { z } from 'zod';
import { listAuditLog } from '../../../services/access/audit-log.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../base-app.ts';
import { operationsOf } from '../../operation.ts';
import { range } from '../analytics/analytics-schema.ts';
import { isoTime, listOf, pageOf, paging, plainText } from '../fields.ts';

const filter = (meaning: string) => plainText(0, 300).optional().describe(meaning);

const querystring = z.object({
  actor: filter('Only actions of this key: its id, or `operator`.'),
  action: filter('Only this operation, for example `createKey`.'),
  thing: filter('Only actions on this resource: its identifier, as in the entry.'),
  ...range,
  ...paging(1000, 100),
});

const entry = z
  .object({
    id: z.string().describe('Identifier of the entry.'),
    time: isoTime.describe('When the operation ended.'),
    actor: z.string().describe('The actor: the id of a key, or `operator` for commands on the server.'),
    action: z.string().describe('The operation: its `operationId` in this reference.'),
    thing: z
      .string()
      .nullable()
      .describe('The resource: the identifier in the path of the request, or the identifier of the created resource.'),
    address: z.string().nullable().describe('Address of the caller; `null` for commands on the server.'),
    outcome: z
      .enum(['done', 'refused', 'failed'])
      .describe('`refused`: the request was not allowed or invalid; `failed`: the server could not complete it.'),
    code: z.string().nullable().describe('The `code` of the error; `null` if the operation succeeded.'),
  })
  .meta({
    id: 'AuditEntry',
    description: 'A management operation and its outcome.',
    examples: [
      {
        id: '01K9Z5D1Q7X3V9B2N4M6T8R0SW',
        time: '2026-11-21T09:00:00.000Z',
        actor: '01K9Z4C8M2R7X5V1B3N6P9Q0ST',
        action: 'createKey',
        thing: '01K9Z5D0G4H8J2K6M1N3P5Q7RT',
        address: '203.0.113.7',
        outcome: 'done',
        code: null,
      },
    ],
  });

/** `GET /v1/audit-log` */
export function listAuditLogRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Audit log');
  operation({
    route: 'GET /v1/audit-log',
    operationId: 'listAuditLog',
    summary: 'List the audit log',
    description:
      'Lists who changed what in your organization, newest first: keys, sites, uploads, exports and settings, including refused changes. Entries are kept for one year by default.',
    permission: 'audit.read',
    query: querystring,
    answer: listOf(entry, 'The entries, newest first.'),
    run: async ({ actor, query: { dateFrom: from, dateTo: to, ...filter } }) => {
      const page = await listAuditLog(deps, actor, { ...filter, from, to });
      return pageOf(page, ({ at: time, ...row }) => ({ ...row, time }));
    },
  });
}
