import type { QueryRunner } from '../ports/database.ts';
import { isAfter, type ListSlice } from './list-place.ts';
import type { AuditOutcome } from './tables.ts';

/** One management operation. */
export interface AuditRow {
  id: string;
  at: Date;
  /** `operator` or the id of a key. */
  actor: string;
  /** The operation's id in the API description. */
  action: string;
  /** The resource: an identifier, if the request or its response names one. */
  thing: string | null;
  address: string | null;
  outcome: AuditOutcome;
  /** Error code; null on success. */
  code: string | null;
}

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
export async function listAuditRows(
  queries: QueryRunner,
  organisationId: string,
  filter: AuditFilter & ListSlice,
): Promise<AuditRow[]> {
  const { from, to, after, limit } = filter;
  let rows = queries
    .selectFrom('audit_log')
    .select(['id', 'at', 'actor', 'action', 'thing', 'address', 'outcome', 'code'])
    .where('organisation_id', '=', organisationId);
  for (const name of ['actor', 'action', 'thing'] as const) {
    const wanted = filter[name];
    if (wanted !== undefined) rows = rows.where(name, '=', wanted);
  }
  if (from) rows = rows.where('at', '>=', from);
  if (to) rows = rows.where('at', '<', to);
  return rows
    .where(isAfter(after, ['at', 'id']))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** @returns how many rows from before `before` were deleted */
export async function deleteAuditRows(queries: QueryRunner, before: Date): Promise<number> {
  const { numDeletedRows } = await queries.deleteFrom('audit_log').where('at', '<', before).executeTakeFirst();
  return Number(numDeletedRows);
}
