import type { PresignOptions } from '../../ports/blob-store.ts';

const word = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const longestKey = 1024;
/** Allowed length of one name on every common file system. */
const longestWord = 255;

/**
 * Rejects anything but a valid blob key: `/`-separated words of `[A-Za-z0-9._-]` that do not start
 * with a dot, so that no key can leave its store. Throws `TypeError`.
 */
export function checkBlobKey(key: string): void {
  const good =
    key.length <= longestKey &&
    key.split('/').every((part) => part.length <= longestWord && word.test(part));
  if (!good) throw new TypeError(`${JSON.stringify(key.slice(0, 100))} is not a blob key.`);
}

export const maxContentTypeBytes = 1024;

/**
 * Returns `contentType` if it is valid in a header.
 * @throws TypeError
 */
export function checkContentType(contentType: string): string {
  if (/^[\x20-\x7e]+$/.test(contentType) && contentType.length <= maxContentTypeBytes)
    return contentType;
  throw new TypeError(`${JSON.stringify(contentType.slice(0, 100))} is not a content type.`);
}

const minSeconds = 15 * 60;
const maxSeconds = 7 * 24 * 3600;

/**
 * Throws `RangeError` if the time is outside 15 minutes to 7 days, `TypeError` if the name is not a
 * valid file name.
 */
export function checkLinkOptions({ expiresInSeconds, filename }: PresignOptions): void {
  if (!(expiresInSeconds >= minSeconds && expiresInSeconds <= maxSeconds)) {
    throw new RangeError(
      `A link lasts from ${minSeconds} to ${maxSeconds} seconds, not ${expiresInSeconds}.`,
    );
  }
  if (filename === '' || /[\x00-\x1f\x7f/\\]/.test(filename))
    throw new TypeError('The file name of a link is invalid.');
}
