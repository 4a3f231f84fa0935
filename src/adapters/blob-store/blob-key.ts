const word = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const longestKey = 1024;
/** Allowed length of one name on every common file system. */
const longestWord = 255;

/**
 * Rejects anything but a valid blob key: `/`-separated words of `[A-Za-z0-9._-]` that do not start with a dot, so that no key can
 * leave its store. Throws `TypeError`.
 */
export function checkBlobKey(key: string): void {
  const good = key.length <= longestKey && key.split('/').every((part) => part.length <= longestWord && word.test(part));
  if (!good) throw new TypeError(`${JSON.stringify(key.slice(0, 100))} is not a blob key.`);
}
