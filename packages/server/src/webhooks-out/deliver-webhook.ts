import { errorMessage } from '@docent/format/error-message.ts';
import { webhookBody } from '@docent/format/webhooks/events.ts';
import type { Deps } from '../kernel/deps.ts';
import { openSecret } from '../kernel/sealed-secrets.ts';
import { formerSecretAt, receiverRemedy, signedHeaders } from '../outside/signed-webhook.ts';
import type { JobContext } from '../ports/job-queue.ts';
import { OutsideFault } from '../ports/outside-files.ts';
import {
  type DeliveryRow,
  findDelivery,
  findWebhook,
  updateDelivery,
  updateWebhook,
  type WebhookRow,
} from './emit/webhook-rows.ts';

export type DeliverDeps = Pick<Deps, 'database' | 'outsideCalls' | 'secret' | 'clock' | 'logger'>;

const TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 2000;

/** The receiver did not accept an event; a later attempt may succeed. */
class NotAccepted extends Error {}

/**
 * Sends an event to a webhook, and records the answer.
 * @throws NotAccepted if it is to be tried again
 */
export async function deliverWebhook(
  deps: DeliverDeps,
  deliveryId: string,
  { signal, lastAttempt }: Pick<JobContext, 'signal' | 'lastAttempt'>,
): Promise<void> {
  const { queries } = deps.database;
  const delivery = await findDelivery(queries, deliveryId);
  const webhook = delivery && (await findWebhook(queries, delivery.webhookId));
  if (delivery?.state !== 'pending' || !webhook) return;
  const attempts = delivery.attempts + 1;
  const end = (state: 'delivered' | 'failed' | 'canceled', more: object = {}) =>
    updateDelivery(queries, deliveryId, { state, attempts, endedAt: deps.clock.now(), ...more });
  if (!webhook.enabled)
    return void (await end('canceled', {
      attempts: delivery.attempts,
      error: 'The webhook was turned off.',
    }));
  const { status = null, answer = null, error } = await send(deps, webhook, delivery, signal);
  if (error === undefined) return void (await end('delivered', { status, answer, error: null }));
  if (status === 410) await updateWebhook(queries, webhook.id, { enabled: false });
  if (status === 410 || lastAttempt) return void (await end('failed', { status, answer, error }));
  await updateDelivery(queries, deliveryId, { attempts, status, answer, error });
  deps.logger.info({ deliveryId, attempts, reason: error }, 'A webhook was not accepted.');
  throw new NotAccepted(error);
}

/**
 * Ends a delivery whose last attempt was killed, so that nobody waits for it. Does nothing if it
 * has ended.
 */
export async function failKilledDelivery(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  id: string,
): Promise<void> {
  const delivery = await findDelivery(database.queries, id);
  if (delivery?.state !== 'pending') return;
  const error = delivery.error ?? 'The server stopped while it was sent; replay the delivery.';
  await updateDelivery(database.queries, id, { state: 'failed', endedAt: clock.now(), error });
}

interface Sent {
  status?: number;
  answer?: string;
  /** Why it was not accepted, in words for the owner of the webhook. */
  error?: string;
}

async function send(
  { outsideCalls, secret: serverSecret, clock }: DeliverDeps,
  webhook: WebhookRow,
  { messageId, message }: DeliveryRow,
  signal: AbortSignal,
): Promise<Sent> {
  const now = clock.now();
  const secret = openSecret(serverSecret, 'webhooks', webhook.secret);
  if (secret === undefined)
    return {
      error: 'The secret was stored with another DOCENT_SECRET; replace the secret of the webhook.',
    };
  const sealedFormer = formerSecretAt(webhook, now);
  const former =
    sealedFormer === undefined ? undefined : openSecret(serverSecret, 'webhooks', sealedFormer);
  const body = Buffer.from(webhookBody(webhook.format, message));
  const signed = signedHeaders(
    { id: messageId, body, now },
    former === undefined ? [secret] : [secret, former],
  );
  try {
    const answer = await outsideCalls.call({
      method: 'POST',
      url: webhook.url,
      headers: [['content-type', 'application/json'], ['user-agent', 'Docent'], ...signed],
      body,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    const { status } = answer;
    const text = await readStart(answer.body);
    if (status >= 200 && status < 300) return { status, answer: text };
    if (status === 410)
      return {
        status,
        answer: text,
        error: 'The receiver returned status 410 (Gone), so the webhook was turned off.',
      };
    return {
      status,
      answer: text,
      error: `The receiver returned status ${status}${receiverRemedy(status)}`,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutsideFault) return { error: errorMessage(error) };
    throw error;
  }
}

/**
 * The start of an answer, for people; the rest is not read. The status decides, also where the
 * answer breaks off.
 */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {}
  return Buffer.concat(chunks)
    .subarray(0, MAX_ANSWER_BYTES)
    .toString('utf8')
    .replaceAll('\u0000', '');
}
