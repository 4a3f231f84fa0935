import type { Selectable } from 'kysely';
import { columnsOf, type Fields, firstOf } from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

export type ReservedSlug = Fields<Selectable<Tables['reserved_slugs']>>;

/** Reserves identifiers; one that is reserved already is reserved anew. */
export async function insertReservedSlugs(
  queries: QueryRunner,
  rows: readonly ReservedSlug[],
): Promise<void> {
  if (rows.length === 0) return;
  await queries
    .insertInto('reserved_slugs')
    .values(rows.map((row) => columnsOf(row)))
    .onConflict((conflict) =>
      conflict.column('slug').doUpdateSet(({ ref }) => ({
        organization_id: ref('excluded.organization_id'),
        hostnames: ref('excluded.hostnames'),
        check_at: ref('excluded.check_at'),
      })),
    )
    .execute();
}

/** Returns the reservation of an identifier, if there is one. */
export async function findReservedSlug(
  queries: QueryRunner,
  slug: string,
): Promise<ReservedSlug | undefined> {
  return firstOf(queries.selectFrom('reserved_slugs').selectAll().where('slug', '=', slug));
}

export async function deleteReservedSlug(queries: QueryRunner, slug: string): Promise<void> {
  await queries.deleteFrom('reserved_slugs').where('slug', '=', slug).execute();
}

/**
 * Claims the reservations that are due, and postpones them until `again`, so that no other process
 * checks them meanwhile and a check that never ends is repeated.
 */
export async function takeDueReservations(
  queries: QueryRunner,
  { now, again, limit }: { now: Date; again: Date; limit: number },
): Promise<Pick<ReservedSlug, 'slug' | 'hostnames'>[]> {
  return queries
    .with('due', (due) =>
      due
        .selectFrom('reserved_slugs')
        .select('slug')
        .where('check_at', '<=', now)
        .orderBy('check_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('reserved_slugs')
    .from('due')
    .set({ check_at: again })
    .whereRef('reserved_slugs.slug', '=', 'due.slug')
    .returning(['reserved_slugs.slug as slug', 'reserved_slugs.hostnames as hostnames'])
    .execute();
}

/** Keeps an identifier reserved until a later check. */
export async function postponeReservedSlug(
  queries: QueryRunner,
  slug: string,
  checkAt: Date,
): Promise<void> {
  await queries
    .updateTable('reserved_slugs')
    .set({ check_at: checkAt })
    .where('slug', '=', slug)
    .execute();
}
