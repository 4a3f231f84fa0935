let read: Promise<readonly string[]> | undefined;

/**
 * Returns leaked passwords in lower case, among them the 3,000 most common of the allowed length. The lists are on disk, and read
 * when the first password is set: nothing about a password is sent anywhere.
 */
export function commonPasswords(): Promise<readonly string[]> {
  read ??= readLists();
  return read;
}

async function readLists(): Promise<readonly string[]> {
  const [{ longPasswords }, { default: shorter }] = await Promise.all([
    import('./long-passwords.ts'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return [...longPasswords, ...(shorter.dictionary.passwords as string[])];
}
