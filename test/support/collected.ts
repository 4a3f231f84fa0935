import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Resolves once all of these objects were collected as garbage; a test that keeps one times out. */
export async function collected(references: readonly WeakRef<object>[]): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  do {
    // An object that was looked at stays until the end of the job.
    await wait(1);
    collect();
  } while (references.some((reference) => reference.deref() !== undefined));
}
