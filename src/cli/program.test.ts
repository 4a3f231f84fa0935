import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { runProgram } from './program.ts';

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
  const api = ['--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`, '--key', 'svc_b'];
  const key = await run('keys', 'create', '--kind', 'admin', '--expires-in-days', 'never', ...api);
  const preview = await run('previews', 'create', 'next', '--site', 'acme', '--lifetime-days', 'never', ...api);
  server.close();
  expect([key[0], preview[0]]).toEqual([0, 0]);
  expect(bodies).toMatchObject([
    { kind: 'admin', expiresInDays: null },
    { branch: 'next', lifetimeDays: null },
  ]);
});
