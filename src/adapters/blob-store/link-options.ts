import type { PresignOptions } from '../../ports/blob-store.ts';

const minSeconds = 15 * 60;
const maxSeconds = 7 * 24 * 3600;

/** Throws `RangeError` if the time is outside 15 minutes to 7 days, `TypeError` if the name is not a valid file name. */
export function checkLinkOptions({ expiresInSeconds, filename }: PresignOptions): void {
  if (!(expiresInSeconds >= minSeconds && expiresInSeconds <= maxSeconds)) {
    throw new RangeError(`A link lasts from ${minSeconds} to ${maxSeconds} seconds, not ${expiresInSeconds}.`);
  }
  if (filename === '' || /[\x00-\x1f\x7f/\\]/.test(filename)) throw new TypeError('The file name of a link is invalid.');
}
