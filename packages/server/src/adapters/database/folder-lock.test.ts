import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';

const module = JSON.stringify(join(import.meta.dirname, 'folder-lock.ts'));
let base: string;
let folder: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'docent-lock-'));
  folder = join(base, 'data');
});

afterEach(() => rm(base, { recursive: true, force: true }));

/**
 * A program for another process that tries to lock the folder, prints the result, and then runs
 * `next`.
 */
const program = (next: string) => `
  const { lockFolder } = await import(${module});
  try { await lockFolder(${JSON.stringify(folder)}); console.log('locked'); ${next} } catch (error) { console.log(error.code ?? error.message); }`;
const run = (code: string) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]).then(({ stdout }) =>
    stdout.trim(),
  );
/** A process that holds the lock on the folder, if it acquires it, until it is killed. */
const holder = () =>
  spawn(process.execPath, ['--input-type=module', '-e', program('setInterval(() => {}, 1000);')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

test('a locked folder is refused with one clear message, to this process and to another', async () => {
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'data_folder_in_use',
    message: `Another process is using the data folder ${folder}; stop it, or choose another folder.`,
  });
  expect(await run(program(''))).toBe('data_folder_in_use');
  await lock.release();
});

test('a released folder can be locked again and contains only the lock file', async () => {
  await (await lockFolder(folder)).release();
  const lock = await lockFolder(folder);
  await lock.release();
  expect(await readdir(folder)).toEqual(['docent.lock']);
});

test('only the owner can access the folder and the socket', async () => {
  await mkdir(folder, { mode: 0o755 });
  const lock = await lockFolder(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(lock.socketPath)).mode & 0o777).toBe(0o600);
  await lock.release();
});

test('a kill -9 releases the folder, and the remaining socket does not block the next start', async () => {
  const child = holder();
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await readdir(folder)).toContain('docent.sock');
  const lock = await lockFolder(folder);
  await lock.release();
});

test('exactly one of four concurrent starts acquires the lock, despite a stale socket', async () => {
  await mkdir(folder);
  await writeFile(join(folder, 'docent.sock'), '');
  const children = [1, 2, 3, 4].map(() => holder());
  const results = await Promise.all(
    children.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()),
  );
  for (const child of children) child.kill('SIGKILL');
  expect(results.sort()).toEqual([
    'data_folder_in_use',
    'data_folder_in_use',
    'data_folder_in_use',
    'locked',
  ]);
});

test('a folder path that is too long for a socket is locked too', async () => {
  folder = join(base, 'x'.repeat(120));
  const lock = await lockFolder(folder);
  expect(Buffer.byteLength(lock.socketPath)).toBeLessThanOrEqual(100);
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'data_folder_in_use' });
  await lock.release();
});

test('the operator reaches the holder over HTTP on the socket, and the release closes open connections', async () => {
  const lock = await lockFolder(folder);
  const app = createServer((_request, response) => response.end('hello operator'));
  lock.server.on('connection', (socket) => app.emit('connection', socket));
  const answer = Promise.withResolvers<string>();
  get({ socketPath: lock.socketPath, path: '/' }, (response) => {
    response.setEncoding('utf8').on('data', answer.resolve);
  }).on('error', answer.reject);
  expect(await answer.promise).toBe('hello operator');
  await lock.release();
});

test.skipIf(process.platform !== 'linux')(
  'a folder that its file system cannot have is refused, where a recursive mkdir would never end',
  () =>
    expect(lockFolder('/proc/docent/data')).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:ENOENT|EACCES|EROFS)$/),
    }),
);
