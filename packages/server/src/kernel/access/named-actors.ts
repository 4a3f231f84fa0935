import { type RawBuilder, sql } from 'kysely';
import type { QueryRunner } from '../../ports/database.ts';

/** Someone who is named by an id, as in the audit log. */
export interface NamedActor {
  actorId: string;
  /** Null for the operator, for a key, and for a person whose account was deleted. */
  personName: string | null;
  keyName: string | null;
}

/** Returns the names that belong to the id in a column. */
export function actorIn(column: string): RawBuilder<NamedActor | null> {
  return namesOf(sql.ref(column));
}

/** Returns the names that belong to an id. */
export async function findNamedActor(queries: QueryRunner, id: string): Promise<NamedActor | null> {
  const { rows } = await sql<{
    actor: NamedActor | null;
  }>`SELECT ${namesOf(sql`${id}::text`)} AS actor`.execute(queries);
  return rows[0]?.actor ?? null;
}

function namesOf(id: RawBuilder<unknown>) {
  return sql<NamedActor | null>`(
    SELECT jsonb_build_object('actorId', named.id, 'personName', users.name, 'keyName', named_key.name)
    FROM (SELECT ${id} AS id) named
    LEFT JOIN users ON users.id = named.id LEFT JOIN api_keys named_key ON named_key.id = named.id
    WHERE named.id IS NOT NULL
  )`;
}
