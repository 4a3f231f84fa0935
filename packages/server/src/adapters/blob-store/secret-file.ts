import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const secretBytes = 32;

/**
 * Returns the secret in `file` as hex. Creates it on first use, readable by its owner only. Links
 * signed with it stay valid across restarts. Throws if the file contains anything else.
 */
export async function loadOrCreateSecret(file: string): Promise<string> {
  return (await loadSecret(file)) ?? (await createSecret(file));
}

async function loadSecret(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    if (new RegExp(`^[0-9a-f]{${secretBytes * 2}}$`).test(text)) return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  throw new Error(
    `The secret in ${file} is damaged. Restore it, or delete it, which invalidates the links created so far.`,
  );
}

async function createSecret(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const secret = randomBytes(secretBytes).toString('hex');
  const unfinished = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(secret);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a rename, this fails if another process was faster; its secret is used then.
    await link(unfinished, file);
    return secret;
  } catch (error) {
    const other =
      (error as NodeJS.ErrnoException).code === 'EEXIST' ? await loadSecret(file) : undefined;
    if (other === undefined) throw error;
    return other;
  } finally {
    await rm(unfinished, { force: true });
  }
}
