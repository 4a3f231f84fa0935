import { readFile } from 'node:fs/promises';

let read: Promise<readonly string[]> | undefined;

/**
 * Returns leaked passwords in lower case, among them the 3,000 most common of the allowed length.
 * The lists are on disk, and read when the first password is set: nothing about a password is sent
 * anywhere.
 */
export function commonPasswords(): Promise<readonly string[]> {
  read ??= readLists();
  return read;
}

async function readLists(): Promise<readonly string[]> {
  const [long, { default: shorter }] = await Promise.all([
    longPasswords(),
    import('@zxcvbn-ts/language-common'),
  ]);
  return [...long, ...(shorter.dictionary.passwords as string[])];
}

/**
 * Returns the 3,000 most common passwords of 10 characters and more, in lower case, the most common
 * first: from the ten million passwords that Mark Burnett released to the public domain in 2015.
 */
export async function longPasswords(): Promise<readonly string[]> {
  return (await readFile(new URL('./long-passwords.txt', import.meta.url), 'utf8'))
    .trim()
    .split(/\s+/);
}
