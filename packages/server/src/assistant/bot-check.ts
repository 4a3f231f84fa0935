import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  CHALLENGE_SECONDS,
  hasZeroBits,
  PROOF_BITS,
  readProof,
} from '@docent/assistant/bot-check.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../kernel/deps.ts';

export type CheckDeps = Pick<Deps, 'clock' | 'limiter' | 'secret'>;

function sign(secret: string, siteId: string, text: string): string {
  return createHmac('sha256', secret)
    .update(`bot-check ${siteId} ${text}`)
    .digest('base64url')
    .slice(0, 32);
}

/**
 * Returns a puzzle for one request to one site: the SHA-256 of `<challenge>.<number>` must start
 * with that many zero bits. The challenge is `<random>.<seconds since 1970>.<signature>`.
 */
export function makeChallenge(
  { clock, secret }: Pick<CheckDeps, 'clock' | 'secret'>,
  siteId: string,
) {
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_SECONDS * 1000);
  const text = `${randomBytes(12).toString('base64url')}.${Math.floor(expiresAt.getTime() / 1000)}`;
  return { challenge: `${text}.${sign(secret, siteId, text)}`, bits: PROOF_BITS, expiresAt };
}

/**
 * Accepts a proof of work, once.
 * @throws DocentError `bot_check_failed`
 */
export async function requireProof(
  deps: CheckDeps,
  siteId: string,
  proof: string | undefined,
): Promise<void> {
  const read = proof === undefined ? undefined : readProof(proof);
  if (!read)
    throw refused(
      'This site requires a proof of work; get a challenge, solve it, and send it as `proof`.',
    );
  const [random, expires, signature] = read.challenge.split('.') as [string, string, string];
  const expected = sign(deps.secret, siteId, `${random}.${expires}`);
  const isOurs =
    signature.length === expected.length &&
    timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  if (!isOurs || Number(expires) * 1000 < deps.clock.now().getTime())
    throw refused('The challenge is no longer valid.');
  const hash = createHash('sha256').update(read.text).digest();
  if (!hasZeroBits(hash, PROOF_BITS)) throw refused('The proof does not solve its challenge.');
  const once = { name: 'bot-challenge', points: 1, windowSeconds: CHALLENGE_SECONDS };
  const { allowed } = await deps.limiter.consume(once, read.challenge);
  if (!allowed) throw refused('The challenge was already used.');
}

function refused(detail: string): DocentError {
  return new DocentError('bot_check_failed', detail);
}
