import type { QueryRunner } from '../ports/database.ts';
import { given, isWithin, type ListSlice, onPage, type TimeRange } from './query-parts.ts';
import type { RowOf } from './tables.ts';

const columns = ['id', 'at', 'actor', 'action', 'thing', 'address', 'outcome', 'code'] as const;

/** One management operation. */
export type AuditRow = RowOf<'audit_log', typeof columns>;

export interface AuditFilter extends TimeRange {
  actor?: string | undefined;
  action?: string | undefined;
  thing?: string | undefined;
}

export async function insertAuditRow(queries: QueryRunner, organisationId: string, row: AuditRow): Promise<void> {
  await queries
    .insertInto('audit_log')
    .values({ ...row, organisation_id: organisationId })
    .execute();
}

/** Returns the rows of an organization, newest first. */
export async function listAuditRows(queries: QueryRunner, organisationId: string, filter: AuditFilter & ListSlice) {
  const { actor, action, thing } = filter;
  return queries
    .selectFrom('audit_log')
    .select(columns)
    .where('organisation_id', '=', organisationId)
    .where(({ and }) => and(given({ actor, action, thing })))
    .where(isWithin('at', filter))
    .$call(onPage(filter, ['at', 'id']))
    .execute();
}

/** @returns how many rows from before `before` were deleted */
export async function deleteAuditRows(queries: QueryRunner, before: Date): Promise<number> {
  const { numDeletedRows } = await queries.deleteFrom('audit_log').where('at', '<', before).executeTakeFirst();
  return Number(numDeletedRows);
}
