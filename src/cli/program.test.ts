import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
