import { sql } from 'kysely';
import type { AssistantSettings } from '../core/assistant/assistant-settings.ts';
import type { QueryRunner } from '../ports/database.ts';

/** Returns the settings that a site has stored; the others have their defaults. */
export async function findAssistantSettings(queries: QueryRunner, siteId: string): Promise<Partial<AssistantSettings>> {
  const row = await queries.selectFrom('sites').select('assistant_settings').where('id', '=', siteId).executeTakeFirst();
  return row?.assistant_settings ?? {};
}

/** Merges changes into the stored settings in one statement, so that concurrent changes are not lost. */
export async function updateAssistantSettings(
  queries: QueryRunner,
  siteId: string,
  changes: Partial<AssistantSettings>,
): Promise<void> {
  await queries
    .updateTable('sites')
    .set({ assistant_settings: sql`assistant_settings || ${JSON.stringify(changes)}::jsonb` })
    .where('id', '=', siteId)
    .execute();
}
