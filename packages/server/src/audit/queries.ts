import { type AuditedEntry, operationsSaying } from '@docent/format/access/audit-words.ts';
import { type SqlBool, sql } from 'kysely';
import {
  columnsOf,
  given,
  isWithin,
  type ListSlice,
  onPage,
  type TimeRange,
} from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { AuditOutcome, RowOf } from '../ports/tables.ts';

const columns = [
  'id',
  'at',
  'actor',
  'actor_kind as actorKind',
  'actor_name as actorName',
  'action',
  'thing',
  'thing_name as thingName',
  'site_id as siteId',
  'site_name as siteName',
  'changes',
  'address',
  'request_id as requestId',
  'outcome',
  'code',
] as const;

/** One management operation. */
export type AuditRow = RowOf<'audit_log', typeof columns>;

export interface AuditFilter extends TimeRange {
  actor?: string | undefined;
  action?: string | undefined;
  thing?: string | undefined;
  outcome?: AuditOutcome | undefined;
  siteId?: string | undefined;
  /** Only these operations. */
  actions?: readonly string[] | undefined;
  /** Words that occur in what the entry says. */
  text?: string | undefined;
}

export async function insertAuditRow(
  queries: QueryRunner,
  organizationId: string,
  row: AuditRow,
): Promise<void> {
  await queries
    .insertInto('audit_log')
    .values(columnsOf({ ...row, changes: JSON.stringify(row.changes), organizationId }))
    .execute();
}

const SEARCHED = [
  'actor',
  'actor_name',
  'thing',
  'thing_name',
  'site_name',
  'address',
  'code',
  'request_id',
  'action',
] as const;
const NAMES = { operator: 'the operator' } satisfies Partial<
  Record<NonNullable<AuditedEntry['actorKind']>, string>
>;

/**
 * Returns the condition that every word of a text occurs in an entry or in the words of its
 * operation.
 */
function says(text: string) {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const conditions = words.map((word) => {
    const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const inColumns = SEARCHED.map((column) => sql`${sql.ref(column)} ILIKE ${pattern}`);
    const operations = operationsSaying(word);
    const inWords = operations.length > 0 ? [sql`action IN (${sql.join(operations)})`] : [];
    const inActor = NAMES.operator.includes(word) ? [sql`actor = 'operator'`] : [];
    return sql`(${sql.join([...inColumns, ...inWords, ...inActor], sql` OR `)})`;
  });
  return conditions.length === 0
    ? sql<SqlBool>`true`
    : sql<SqlBool>`${sql.join(conditions, sql` AND `)}`;
}

/** Returns the rows of an organization, newest first. */
export async function listAuditRows(
  queries: QueryRunner,
  organizationId: string,
  filter: AuditFilter & ListSlice,
): Promise<AuditRow[]> {
  const { actor, action, thing, outcome, siteId, actions, text } = filter;
  return queries
    .selectFrom('audit_log')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where(({ and }) => and(given({ actor, action, thing, outcome, site_id: siteId })))
    .$if(actions !== undefined, (query) => query.where('action', 'in', actions ?? []))
    .$if(text !== undefined, (query) => query.where(says(text ?? '')))
    .where(isWithin('at', filter))
    .$call(onPage(filter, ['at', 'id']))
    .execute();
}

/** @returns how many rows from before `before` were deleted */
export async function deleteAuditRows(queries: QueryRunner, before: Date): Promise<number> {
  const { numDeletedRows } = await queries
    .deleteFrom('audit_log')
    .where('at', '<', before)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
