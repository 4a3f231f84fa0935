import { createHmac } from 'node:crypto';
import type { AssistantSettings } from '@docent/assistant/assistant-settings.ts';
import { DAY_MS } from '@docent/format/analytics/days.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../../kernel/deps.ts';
import { storedMessageId } from '../../kernel/ids.ts';
import { sealSecret } from '../../kernel/sealed-secrets.ts';
import {
  countWaiting,
  deleteAddress,
  deleteWaiting,
  findMissingAnswer,
  putWaiting,
} from './waiting-queries.ts';

type WaitingDeps = Pick<
  Deps,
  'database' | 'clock' | 'secret' | 'mailer' | 'assistantSettings' | 'threads' | 'threadWrites'
>;

/** An address is deleted after this time, whatever becomes of the question. */
const MAX_DAYS = 180;
const MAX_PER_SITE = 5000;
/** Whoever enters the address of somebody else sends them few messages. */
const MAX_PER_ADDRESS = 5;

/**
 * Returns for how many days a reader of a site can wait for an answer; undefined if the owners did
 * not turn that on, or the server sends no mail.
 */
export function waitDaysOf(
  { mailer }: Partial<Pick<Deps, 'mailer'>>,
  { tellsReaders, retentionDays }: Pick<AssistantSettings, 'tellsReaders' | 'retentionDays'>,
): number | undefined {
  return mailer && tellsReaders ? Math.min(retentionDays, MAX_DAYS) : undefined;
}

/**
 * Keeps the address of a reader whose question has no answer, encrypted, to tell them once; null
 * deletes it. Only the reader of a conversation knows its id.
 * @throws DocentError `thread_not_found`, also if readers of the site cannot wait, or the answer is
 *   another; `rate_limited` if too many wait
 */
export async function waitForAnswer(
  deps: WaitingDeps,
  {
    siteId,
    ...target
  }: { siteId: string; threadId: string; messageId: string; email: string | null },
): Promise<void> {
  const { threadId, email } = target;
  const { queries } = deps.database;
  await deps.threadWrites.settled(threadId);
  const thread = await deps.threads.find(siteId, threadId);
  const messageId = storedMessageId(threadId, target.messageId);
  const answer = thread && (await findMissingAnswer(queries, { threadId, messageId }));
  const days = waitDaysOf(deps, await deps.assistantSettings.of(siteId));
  if (answer && email === null) return deleteWaiting(queries, answer.id);
  if (!answer || email === null || days === undefined)
    throw new DocentError(
      'thread_not_found',
      'There is no such question that waits for an answer.',
    );
  const addressKey = addressKeyOf(deps.secret, siteId, email);
  const { all, same } = await countWaiting(queries, siteId, addressKey);
  if (all >= MAX_PER_SITE || same >= MAX_PER_ADDRESS)
    throw new DocentError('rate_limited', 'This address waits for enough answers already.');
  const createdAt = deps.clock.now();
  await putWaiting(queries, {
    messageId: answer.id,
    siteId,
    address: sealSecret(deps.secret, 'waiting readers', email),
    addressKey,
    page: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + days * DAY_MS),
  });
}

/** Deletes an address of a site, for whoever has the link in a mail to it. */
export async function forgetAddress(
  { database }: Pick<Deps, 'database'>,
  siteId: string,
  addressKey: string,
): Promise<void> {
  await deleteAddress(database.queries, siteId, addressKey);
}

function addressKeyOf(secret: string, siteId: string, email: string): string {
  return createHmac('sha256', secret)
    .update(`waiting reader:${siteId}:${email.toLowerCase()}`)
    .digest('base64url');
}
