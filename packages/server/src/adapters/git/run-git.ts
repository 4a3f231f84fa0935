import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { DocentError } from '@docent/format/errors.ts';

/** What one run of Git may use. */
export interface GitBudget {
  seconds: number;
  /** Of one file that it writes. */
  fileBytes: number;
}

export interface GitRun {
  /** Environment in full: nothing is inherited. */
  env: Record<string, string>;
  budget: GitBudget;
  signal?: AbortSignal | undefined;
  input?: string | undefined;
}

/** Git ended with an error. */
export class GitFailure extends Error {
  readonly output: string;
  constructor(output: string) {
    super('Git failed.');
    this.output = output;
  }
}

const MEMORY_KB = 3 * 1024 * 1024;
const BLOCK_BYTES = 512;
const MAX_ERROR_CHARACTERS = 8000;
const MAX_LINE_CHARACTERS = 100_000;
// The kernel holds all processes that Git starts to the limits of this one. Some systems do not
// know all of them.
const BOUNDED =
  'ulimit -f "$1"; ulimit -t "$2"; ulimit -v "$3" 2>/dev/null || :; ulimit -c 0; shift 3; exec nice -n 5 "$@"';

/**
 * Starts Git with its arguments, in a process group of its own, so that everything that it starts
 * ends with it.
 * @throws DocentError `git_unavailable` if it takes too long; `git_refused` if Git is missing;
 *   GitFailure; the signal's reason
 */
export function gitOutput(args: readonly string[], run: GitRun): AsyncGenerator<Buffer> {
  return boundedOutput(['git', ...args], run);
}

/** Like `gitOutput`, for another program that Git's remotes need. */
export async function* boundedOutput(args: readonly string[], run: GitRun): AsyncGenerator<Buffer> {
  run.signal?.throwIfAborted();
  const { seconds, fileBytes } = run.budget;
  const limits = [Math.ceil(fileBytes / BLOCK_BYTES), Math.ceil(seconds), MEMORY_KB].map(String);
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(
    '/bin/sh',
    ['-c', BOUNDED, 'sh', ...limits, ...args],
    {
      env: run.env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const end = () => endGroup(child.pid);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, seconds * 1000);
  run.signal?.addEventListener('abort', end);
  const closed = new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  );
  closed.catch(() => {});
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-MAX_ERROR_CHARACTERS);
  });
  // Git may end before it has read its input.
  child.stdin.on('error', () => {}).end(run.input ?? '');
  let isWhole = false;
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    const code = await closed;
    isWhole = true;
    run.signal?.throwIfAborted();
    if (isLate)
      throw new DocentError(
        'git_unavailable',
        `Git did not finish within ${seconds} s; try again, or use a smaller repository.`,
      );
    if (code === 127)
      throw new DocentError(
        'git_refused',
        'Git is not installed on the server; the operator must install git.',
      );
    if (code !== 0) throw new GitFailure(errors);
  } finally {
    clearTimeout(timer);
    run.signal?.removeEventListener('abort', end);
    if (!isWhole) end();
  }
}

/** Like `gitOutput`, as lines; they end with a zero byte if `separator` is one. */
export async function* gitLines(
  args: readonly string[],
  run: GitRun,
  separator = '\n',
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of gitOutput(args, run)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(separator);
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new DocentError('git_refused', 'The repository contains a name that is too long.');
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Runs Git for its effect. */
export async function runGit(args: readonly string[], run: GitRun): Promise<void> {
  for await (const _ of gitOutput(args, run));
}

/** Returns the first line that Git writes; empty if it writes none. */
export async function firstLine(args: readonly string[], run: GitRun): Promise<string> {
  let first: string | undefined;
  for await (const line of gitLines(args, run)) first ??= line;
  return first ?? '';
}

/**
 * Makes a key pair for ssh in `file` and `file.pub`. @throws DocentError `git_refused` if ssh is
 * not installed
 */
export async function createKeyPair(file: string, comment: string): Promise<void> {
  try {
    await promisify(execFile)('ssh-keygen', [
      '-q',
      '-t',
      'ed25519',
      '-N',
      '',
      '-C',
      comment,
      '-f',
      file,
    ]);
  } catch (cause) {
    const message = 'The server could not create a key; the operator must install openssh-client.';
    throw new DocentError('git_refused', message, { cause });
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
