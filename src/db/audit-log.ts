import type { QueryRunner } from '../ports/database.ts';
import { type ListSlice, onPage } from './query-parts.ts';
import type { RowOf } from './tables.ts';

const columns = ['id', 'at', 'actor', 'action', 'thing', 'address', 'outcome', 'code'] as const;

/** One management operation. */
export type AuditRow = RowOf<'audit_log', typeof columns>;

export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  thing?: string | undefined;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

export async function insertAuditRow(queries: QueryRunner, organisationId: string, row: AuditRow): Promise<void> {
  await queries
    .insertInto('audit_log')
    .values({ ...row, organisation_id: organisationId })
    .execute();
}

/** Returns the rows of an organization, newest first. */
export async function listAuditRows(queries: QueryRunner, organisationId: string, filter: AuditFilter & ListSlice) {
  const { from, to, after, limit } = filter;
  let rows = queries.selectFrom('audit_log').select(columns).where('organisation_id', '=', organisationId);
  for (const name of ['actor', 'action', 'thing'] as const) {
    const wanted = filter[name];
    if (wanted !== undefined) rows = rows.where(name, '=', wanted);
  }
  if (from) rows = rows.where('at', '>=', from);
  if (to) rows = rows.where('at', '<', to);
  return rows.$call(onPage({ after, limit }, ['at', 'id'])).execute();
}

/** @returns how many rows from before `before` were deleted */
export async function deleteAuditRows(queries: QueryRunner, before: Date): Promise<number> {
  const { numDeletedRows } = await queries.deleteFrom('audit_log').where('at', '<', before).executeTakeFirst();
  return Number(numDeletedRows);
}
