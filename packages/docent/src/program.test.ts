import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { createProgram, runProgram } from './program.ts';

afterEach(() => vi.restoreAllMocks());

/** Runs a command line. @returns exit code and standard output */
async function run(...args: string[]): Promise<[number, string]> {
  let stdout = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  return [await runProgram(args, {}), stdout];
}

it('the program prints its version, and passes --version to commands that have this option', async () => {
  expect(await run('--version')).toEqual([0, `${manifest.version}\n`]);
  const cache = mkdtempSync(join(tmpdir(), 'docent-program-'));
  const options = ['--version', '2', '--port', '0', '--cache', cache];
  const [code, stdout] = await run('serve-bundle', ...options, '/no-such-bundle.tar.gz');
  rmSync(cache, { recursive: true, force: true });
  expect(code).not.toBe(0);
  expect(stdout).not.toContain(manifest.version);
});

it('the schema of docs.json is printed as JSON', async () => {
  const [code, stdout] = await run('schema');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ title: 'docs.json', type: 'object' });
});

it('a key that never expires and a preview that is kept are requested with null', async () => {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await json(request));
    response.end('{"key":"svc_a","expiresAt":null}');
  });
  await once(server.listen(0), 'listening');
  const api = [
    '--url',
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    '--key',
    'svc_b',
  ];
  const key = await run('keys', 'create', '--kind', 'admin', '--expires-in-days', 'never', ...api);
  const preview = await run(
    'previews',
    'create',
    'next',
    '--site',
    'acme',
    '--lifetime-days',
    'never',
    ...api,
  );
  server.close();
  expect([key[0], preview[0]]).toEqual([0, 0]);
  expect(bodies).toMatchObject([
    { kind: 'admin', expiresInDays: null },
    { branch: 'next', lifetimeDays: null },
  ]);
});

it('the list of previews says by name who created each, and never by an id', async () => {
  const preview = {
    name: 'next',
    branch: 'Next',
    hasPassword: false,
    membersOnly: false,
    url: 'https://next--acme.example',
  };
  const ada = {
    ...preview,
    createdBy: { kind: 'person', name: 'Ada Lovelace' },
    lastDeployment: null,
    expiresAt: null,
  };
  const unknown = { ...ada, name: 'old', createdBy: null };
  const server = createServer((_request, response) => {
    response.end(JSON.stringify({ items: [ada, unknown], nextCursor: null }));
  });
  await once(server.listen(0), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [code, stdout] = await run(
    'previews',
    'list',
    '--site',
    'acme',
    '--url',
    url,
    '--key',
    'svc_b',
  );
  server.close();
  expect(code).toBe(0);
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
    ['PREVIEW', 'BRANCH', 'BY'],
    ['next', 'Next', 'Ada Lovelace'],
    ['old', 'Next', '-'],
    [''],
  ]);
});

const documentation = join(import.meta.dirname, '../../../docs');

/**
 * Every line of a block of shell commands in the documentation that runs `docent`, with its file.
 */
function documentedCommands(): { file: string; words: string[] }[] {
  const files = readdirSync(documentation, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.mdx'),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(documentation, file), 'utf8').replaceAll('\\\n', ' ');
    const blocks = Array.from(
      text.matchAll(/```(?:bash|sh)[^\n]*\n([\s\S]*?)```/g),
      ([, code = '']) => code,
    );
    const lines = blocks.flatMap((code) =>
      code.split('\n').map((line) => line.trim().replace(/(?<=\s)#.*/, '')),
    );
    const commands = lines
      .map((line) => /^(?:[A-Z_]+=\S+ )*docent (.+)/.exec(line)?.[1])
      .filter((found) => found !== undefined);
    // The reference is made from the commands.
    return file === 'reference/commands.mdx'
      ? []
      : commands.map((command) => ({ file, words: command.split(/\s+/) }));
  });
}

it('every command of the documentation and each of its options exists', () => {
  const program = createProgram({}, () => {});
  const commands = documentedCommands();
  expect(commands.length).toBeGreaterThan(50);
  for (const { file, words } of commands) {
    let command: Command | undefined = program;
    for (const word of words) {
      const inner: Command | undefined = command?.commands.find((one) => one.name() === word);
      if (inner === undefined) break;
      command = inner;
    }
    const options = words
      .filter((word) => word.startsWith('--'))
      .map((word) => word.replace(/=.*/, ''));
    const known = [...(command?.options.map((option) => option.long) ?? []), '--help', '--version'];
    expect(command?.commands ?? [], `${file}: docent ${words.join(' ')}`).toEqual([]);
    expect(
      options.filter((option) => !known.includes(option)),
      `${file}: docent ${words.join(' ')}`,
    ).toEqual([]);
  }
});
