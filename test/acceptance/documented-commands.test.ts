import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { call, fixtureSite } from '../support/http.ts';
import {
  commandLine,
  removeTemporaryFolders,
  root,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 600_000 });
afterAll(removeTemporaryFolders);

/**
 * Commands that need neither a server nor a network, in the order in which they depend on each
 * other.
 */
const LOCAL = ['signing-key', 'init', 'check', 'schema', 'build', 'export', 'verify'];

/**
 * Commands of the operator, and of those who manage an organization, on the machine of the server.
 */
const ON_SERVER = ['organizations', 'keys', 'members', 'audit'];
const OPERATOR = ['doctor', 'backup', 'verify-store', 'restore', 'migrate'];

/** The commands of the documentation among these, each once. */
async function documentedCommands(names: readonly string[]): Promise<string[]> {
  const folder = join(root, 'docs');
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith('.mdx') && file !== 'reference/commands.mdx',
  );
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const blocks = texts.flatMap((text) =>
    Array.from(text.matchAll(/```(?:bash|sh)[^\n]*\n([\s\S]*?)```/g), ([, code = '']) => code),
  );
  const lines = blocks.flatMap((code) =>
    code
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.trim()),
  );
  const place = (line: string) => names.indexOf(/^docent ([a-z-]+)/.exec(line)?.[1] ?? '');
  return [...new Set(lines.filter((line) => place(line) >= 0))].sort((a, b) => place(a) - place(b));
}

/** A folder with a reader's repositories and a `docent` on the path. */
async function readersFolder() {
  const home = await temporaryFolder();
  const clone = join(home, 'clone');
  const folders = ['clone', 'clone/docs', 'acme/docs', 'api-docs', 'python/docs'];
  for (const folder of folders.map((path) => join(home, path)))
    await cp(fixtureSite('small'), folder, { recursive: true });
  await mkdir(join(home, 'bin'));
  const program = [process.execPath, ...commandLine(['serve'])].slice(0, -1).join('" "');
  await writeFile(join(home, 'bin/docent'), `#!/bin/sh\nexec "${program}" "$@"\n`, { mode: 0o755 });
  const path = `${join(home, 'bin')}:${process.env.PATH}`;
  /** @returns the exit code and standard error */
  const run = async (command: string, more: Record<string, string> = {}) => {
    const env = { ...process.env, HOME: home, PATH: path, ...more };
    return promisify(execFile)('sh', ['-c', command], { cwd: clone, env }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );
  };
  return { home, clone, run };
}

test('the commands of the documentation run as printed, from the folder of a reader', async () => {
  const { run } = await readersFolder();
  const commands = (await documentedCommands(LOCAL)).filter(
    (line) => !/https?:\/\/(?!docs\.example)|[<$]/.test(line),
  );
  expect(commands.length).toBeGreaterThan(6);
  const failed: string[] = [];
  for (const command of commands) {
    const { code, stderr } = await run(command, { DOCENT_FETCH_REMOTE: 'off' });
    // A check of this site has findings; that it ran is what counts.
    if (code !== 0 && !(command.startsWith('docent check') && code === 1))
      failed.push(`${command}: ${code} ${stderr}`);
  }
  expect(failed).toEqual([]);
});

/** What cannot succeed here, with the error that says why: identifiers and people of the reader. */
const REFUSED: [command: RegExp, error: RegExp][] = [
  [/KEY_ID/, /The organization has no such key/],
  [/^docent members (role|remove|uninvite)/, /no (member|invitation|person|account|user)/i],
];

test('the commands of the documentation run as printed on the machine of the server, up to a backup and its restore', async () => {
  const { home, clone, run } = await readersFolder();
  await mkdir(join(home, 'backups'));
  await writeFile(join(home, 'passphrase'), 'correct horse battery staple\n', { mode: 0o600 });
  const docent = await startDocent({
    isBasic: true,
    isFirst: true,
    dataFolder: join(clone, 'data'),
  });
  // The folders of the documentation are those of its machine; the rest of each line is as printed.
  const here = (line: string) =>
    line
      .replaceAll('/backups/', `${join(home, 'backups')}/`)
      .replaceAll('/etc/docent/passphrase', join(home, 'passphrase'));
  await call(docent, docent.adminKey, 'POST', '/v1/projects', { slug: 'acme' });
  const failed: string[] = [];
  const runAll = async (commands: readonly string[], env: Record<string, string> = {}) => {
    for (const command of commands) {
      const { code, stderr } = await run(here(command), env);
      const isExpected = REFUSED.some(
        ([which, error]) => which.test(command) && code !== 0 && error.test(stderr),
      );
      if (code !== 0 && !isExpected) failed.push(`${command}: ${code} ${stderr}`);
    }
  };
  const commands = (await documentedCommands(ON_SERVER)).filter((line) => !/[<$]/.test(line));
  expect(new Set(commands.map((line) => line.split(' ')[1])).size).toBe(ON_SERVER.length);
  const operating = await documentedCommands(OPERATOR);
  expect(new Set(operating.map((line) => line.split(' ')[1])).size).toBe(OPERATOR.length);
  const isOf = (name: string) => (line: string) => line.startsWith(`docent ${name}`);
  try {
    await runAll(commands);
    await runAll(operating.filter((line) => !isOf('restore')(line) && !isOf('migrate')(line)));
  } finally {
    await docent.stop();
  }
  await runAll(operating.filter(isOf('restore')), { DOCENT_DATA: join(home, 'restored') });
  await runAll(operating.filter(isOf('migrate')), { DOCENT_DATA: join(home, 'moved') });
  expect(failed).toEqual([]);
});
