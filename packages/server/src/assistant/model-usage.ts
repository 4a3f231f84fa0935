import type { TokenUsage } from '@docent/assistant/chat/answer-event.ts';
import type { ChatRequest } from '@docent/assistant/chat/chat-request.ts';
import { sql } from 'kysely';
import type { Deps } from '../kernel/deps.ts';
import type { ModelUsage } from '../kernel/process-state.ts';
import type { QueryRunner } from '../ports/database.ts';

/** For servers of models that do not count. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Counts the tokens that language models used for a site, by UTC day and model. Apart from the
 * conversations, so that neither their deletion nor questions that are not stored change it.
 */
export function createModelUsage({
  database: { queries },
  clock,
}: Pick<Deps, 'database' | 'clock'>): ModelUsage {
  return {
    async today(siteId) {
      const { tokens } = await queries
        .selectFrom('model_usage')
        .select(sql<string>`coalesce(sum(input_tokens + output_tokens), 0)`.as('tokens'))
        .where('site_id', '=', siteId)
        .where('day', '=', dayOf(clock.now()))
        .executeTakeFirstOrThrow();
      return Number(tokens);
    },
    async add(siteId, model, { inputTokens, outputTokens }) {
      await queries
        .insertInto('model_usage')
        .values({
          site_id: siteId,
          day: dayOf(clock.now()),
          model,
          answers: 1,
          input_tokens: inputTokens,
          output_tokens: outputTokens,
        })
        .onConflict((conflict) =>
          conflict.columns(['site_id', 'day', 'model']).doUpdateSet({
            answers: sql`model_usage.answers + 1`,
            input_tokens: sql`model_usage.input_tokens + excluded.input_tokens`,
            output_tokens: sql`model_usage.output_tokens + excluded.output_tokens`,
          }),
        )
        .execute();
    },
  };
}

/** Where nobody sets a limit. */
export const noModelUsage: ModelUsage = { today: async () => 0, add: async () => {} };

/** Deletes the counts of days before a time. */
export async function deleteOldModelUsage(queries: QueryRunner, before: Date): Promise<void> {
  await queries.deleteFrom('model_usage').where('day', '<', dayOf(before)).execute();
}

/**
 * Estimates what an answer used whose model did not say, for example because the reader left before
 * its end.
 */
export function estimatedUsage(
  { instructions, turns, passages }: Pick<ChatRequest, 'instructions' | 'turns' | 'passages'>,
  answer: string,
): TokenUsage {
  const texts = [...turns.map(({ text }) => text), ...passages.map(({ content }) => content)];
  const characters = texts.reduce((sum, text) => sum + text.length, instructions.length);
  return {
    inputTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN),
    outputTokens: Math.ceil(answer.length / CHARACTERS_PER_TOKEN),
  };
}

/** Returns what several calls used; undefined if none used anything. */
export function sumOfUsage(...all: (TokenUsage | undefined)[]): TokenUsage | undefined {
  return all.reduce((sum, usage) =>
    sum && usage
      ? {
          inputTokens: sum.inputTokens + usage.inputTokens,
          outputTokens: sum.outputTokens + usage.outputTokens,
        }
      : (sum ?? usage),
  );
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);
