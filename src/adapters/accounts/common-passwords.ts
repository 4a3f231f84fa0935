/** Returns a list on disk, which is read when the first password is set: nothing about a password is sent anywhere. */
export async function commonPasswords(): Promise<readonly string[]> {
  const { default: list } = await import('@zxcvbn-ts/language-common');
  return list.dictionary.passwords as string[];
}
