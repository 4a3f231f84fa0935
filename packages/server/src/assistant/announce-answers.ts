import { errorMessage } from '@docent/format/error-message.ts';
import type { Deps } from '../kernel/deps.ts';
import type { AnswerNotices } from '../kernel/process-state.ts';
import { type EmitDeps, emitEvent } from '../webhooks-out/emit/emit-event.ts';
import { announceLimit } from '../webhooks-out/emit/limit-reached.ts';

const MAX_TITLE = 200;

/** Sends webhooks about answers. An error is logged: it must not cost the reader the answer. */
export function createAnswerNotices(
  deps: EmitDeps & Pick<Deps, 'database' | 'logger'>,
): AnswerNotices {
  const { queries } = deps.database;
  const logged = (siteId: string) => (error: unknown) =>
    deps.logger.error(
      { siteId, reason: errorMessage(error) },
      'an event about an answer could not be sent',
    );
  return {
    unanswered: ({ siteId, threadId, question }) =>
      queries
        .transaction()
        .execute((transaction) =>
          emitEvent(deps, transaction, {
            type: 'question.unanswered',
            siteId,
            title: question.slice(0, MAX_TITLE),
            path: `conversations?thread=${encodeURIComponent(threadId)}`,
            details: { threadId, question },
          }),
        )
        .catch(logged(siteId)),
    async tokensUsedUp(siteId) {
      try {
        const site = await queries
          .selectFrom('sites')
          .select(['organization_id as organizationId', 'slug'])
          .where('id', '=', siteId)
          .executeTakeFirst();
        if (!site) return;
        const { organizationId, slug } = site;
        const path = `${slug}/assistant`;
        const title = 'Tokens of language models per day';
        const limit = 'assistant-tokens-per-day';
        await announceLimit(deps, { organizationId, siteId, limit, title, path });
      } catch (error) {
        logged(siteId)(error);
      }
    },
  };
}
