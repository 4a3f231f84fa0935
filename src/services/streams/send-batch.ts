import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { AnalyticsStream } from '../../db/analytics-streams.ts';
import { OutsideFault } from '../../ports/outside-files.ts';
import type { Deps } from '../deps.ts';

const TIMEOUT_MS = 20_000;
const NDJSON = 'application/x-ndjson';

/** What is sent at once. */
export interface Batch {
  /** The same in each attempt, so that a receiver recognizes duplicates. */
  id: string;
  /** Object key below the prefix of a bucket. */
  key: string;
  body: Uint8Array;
}

/** Why a batch was not accepted, in words for the owner of the stream. */
interface SendFault {
  reason: string;
  /** When the receiver wants the next attempt. */
  retryAfterSeconds?: number;
  /** The receiver wants no more deliveries. */
  isGone?: boolean;
}

type SendDeps = Pick<Deps, 'outsideCalls' | 'uploadLinks' | 'secret' | 'clock'>;

/**
 * Sends a batch to the target of a stream.
 * @returns `undefined` if it was accepted
 * @throws the signal's reason if it was aborted
 */
export async function sendBatch(
  deps: SendDeps,
  stream: AnalyticsStream,
  batch: Batch,
  signal?: AbortSignal,
): Promise<SendFault | undefined> {
  const secret = openSecret(deps.secret, stream.secret);
  if (secret === undefined)
    return {
      reason: 'The secret was stored with another DOCENT_SECRET; rotate the secret, or set the bucket’s keys again.',
    };
  try {
    const request =
      stream.target.kind === 'webhook'
        ? webhookRequest(deps, stream, stream.target.url, secret, batch)
        : { method: 'PUT', url: await uploadLink(deps, stream.target, secret, batch.key), headers: [] };
    const answer = await deps.outsideCalls.call({
      ...request,
      headers: [['content-type', NDJSON], ...request.headers],
      body: batch.body,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    // The response body is ignored: only the status counts.
    await answer.body[Symbol.asyncIterator]().return?.();
    if (answer.status >= 200 && answer.status < 300) return undefined;
    return faultOf(answer.status, stream, retryAfter(answer.headers, deps.clock.now()));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof OutsideFault) return { reason: error.message };
    throw error;
  }
}

/** A delivery by Standard Webhooks 1.0; for a day after a rotation signed with both secrets. */
function webhookRequest(deps: SendDeps, stream: AnalyticsStream, url: string, secret: string, { id, body }: Batch) {
  const now = deps.clock.now();
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const isOverlap = stream.formerSecret !== null && stream.formerUntil !== null && stream.formerUntil > now;
  const former = isOverlap ? openSecret(deps.secret, stream.formerSecret as string) : undefined;
  const signatures = [secret, ...(former === undefined ? [] : [former])].map((one) => signatureOf(one, id, timestamp, body));
  const headers: [string, string][] = [
    ['webhook-id', id],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', signatures.join(' ')],
  ];
  return { method: 'POST', url, headers };
}

function signatureOf(secret: string, id: string, timestamp: string, body: Uint8Array): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

function uploadLink(
  { uploadLinks }: SendDeps,
  { kind: _, prefix, ...bucket }: Extract<AnalyticsStream['target'], { kind: 's3' }>,
  secretAccessKey: string,
  key: string,
): Promise<string> {
  return uploadLinks({ bucket, secretAccessKey, key: prefix + key });
}

function faultOf(status: number, { target }: AnalyticsStream, retryAfterSeconds: number | undefined): SendFault {
  const asked = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  if (target.kind === 's3') return { reason: `The storage returned status ${status}${s3Remedies[status] ?? '.'}`, ...asked };
  if (status === 410) return { reason: 'The receiver returned status 410 (Gone), so the stream was turned off.', isGone: true };
  const remedy = status >= 300 && status < 400 ? '; redirects are not followed, so set the URL of the destination.' : '.';
  return { reason: `The receiver returned status ${status}${remedy}`, ...asked };
}

const s3Remedies: Readonly<Record<number, string>> = {
  301: ': the bucket is in another region; set that region.',
  307: ': the bucket is in another region; set that region.',
  400: ': check the region and the access key.',
  403: ': check the access key and its secret, and allow it to put objects.',
  404: ': there is no such bucket; create it, or correct the name.',
};

function retryAfter(headers: readonly [string, string][], now: Date): number | undefined {
  const text = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  if (text === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts credentials of other services, so that a copy of the database alone gives no access to them (AES-256-GCM). */
export function sealSecret(serverSecret: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(serverSecret), nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/** @returns the decrypted value; `undefined` if it was encrypted with another secret of the server */
function openSecret(serverSecret: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(serverSecret), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(serverSecret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', serverSecret, '', 'docent: secrets of analytics streams', 32));
}
