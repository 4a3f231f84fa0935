import type { QueryRunner } from '../ports/database.ts';

/** Stores a token, and deletes all but the newest `kept` before it. */
export async function replaceSetupTokens(queries: QueryRunner, hash: string, createdAt: Date, kept: number): Promise<void> {
  await queries
    .deleteFrom('setup_tokens')
    .where('hash', 'not in', (query) =>
      query.selectFrom('setup_tokens').select('hash').orderBy('created_at', 'desc').orderBy('hash').limit(kept),
    )
    .execute();
  await queries.insertInto('setup_tokens').values({ hash, created_at: createdAt }).execute();
}

/** Returns the hashes of the valid tokens. */
export async function listSetupTokens(queries: QueryRunner): Promise<string[]> {
  return (await queries.selectFrom('setup_tokens').select('hash').execute()).map(({ hash }) => hash);
}

/**
 * Deletes all tokens. @returns whether the one with that hash was among them, so that only one of two concurrent uses succeeds
 */
export async function takeSetupTokens(queries: QueryRunner, hash: string): Promise<boolean> {
  const taken = await queries.deleteFrom('setup_tokens').returning('hash').execute();
  return taken.some((one) => one.hash === hash);
}
