import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { commandLine } from './start-docent.ts';

/**
 * Kills in each test of `kill -9`: few in every run; `DOCENT_TEST_KILLS=100` for a long one. A
 * multiple of 3.
 */
export const KILLS = Number(process.env.DOCENT_TEST_KILLS ?? 3);

/** Numbers from 0 to 1, the same in every run. */
export function* seeded(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/**
 * Starts a command and kills it once `isReached`. @returns whether it was killed before it ended
 */
export async function killWhen(
  args: string[],
  env: Record<string, string>,
  isReached: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, commandLine(args), {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  while (child.exitCode === null && !(await isReached()))
    await new Promise((resolve) => setTimeout(resolve, 1));
  child.kill('SIGKILL');
  await exited;
  return child.signalCode === 'SIGKILL';
}

/** Returns the number of files in a folder and below it. */
export const filesBelow = (path: string) =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
        .length
    : 0;
