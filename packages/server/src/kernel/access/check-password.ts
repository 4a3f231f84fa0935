import { type IpAddress, ipLimitKey } from '@docent/format/access/ip.ts';
import type { Deps } from '../deps.ts';

const MAX_CHARACTERS = 200;
const HOUR_SECONDS = 3600;
/** Attempts per address: many readers of one network may sign in at the same time. */
const GUESSES_PER_IP = { name: 'reader-password-ip', points: 20, windowSeconds: HOUR_SECONDS };
/** Wrong passwords of one place after which each address has fewer attempts, but nobody is locked out. */
const GUESSES = { name: 'reader-password', points: 300, windowSeconds: HOUR_SECONDS };
const ATTEMPTS_WHILE_GUESSED = 5;

/**
 * Compares a password with the one that opens a site or a preview to readers. Only wrong ones count
 * against the limits.
 * @param place `id` of the site or preview, and `hash` of its password
 * @param client the address of the reader
 * @returns whether it is right; or how long to wait until another one is compared
 */
export async function checkPassword(
  { limiter, passwords }: Pick<Deps, 'limiter' | 'passwords'>,
  { id, hash }: { id: string; hash: string },
  password: string,
  client: IpAddress | undefined,
): Promise<{ isRight: boolean } | { retrySeconds: number }> {
  const address = `${id} ${client ? ipLimitKey(client) : ''}`;
  // Counted before the comparison, so that no attempts at the same time escape the limit.
  const perIp = await limiter.consume(GUESSES_PER_IP, address);
  const hasFewer = GUESSES_PER_IP.points - perIp.remaining > ATTEMPTS_WHILE_GUESSED;
  if (!perIp.allowed || (hasFewer && !(await limiter.peek(GUESSES, id)).allowed))
    return { retrySeconds: perIp.resetSeconds };
  const isRight = password.length <= MAX_CHARACTERS && (await passwords.verify({ hash, password }));
  if (isRight) await limiter.clear(GUESSES_PER_IP, address);
  else await limiter.consume(GUESSES, id);
  return { isRight };
}
