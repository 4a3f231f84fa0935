import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { fixtureSite } from '../support/http.ts';
import { removeTemporaryFolders, root, temporaryFolder } from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 240_000 });
afterAll(removeTemporaryFolders);

/** Commands that need neither a server nor a network, in the order in which they depend on each other. */
const LOCAL = ['signing-key', 'init', 'check', 'schema', 'build', 'export', 'verify'];

/** The commands of the documentation that start with `docent`, each once. */
async function documentedCommands(): Promise<string[]> {
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
  const isLocal = (line: string) =>
    LOCAL.includes(/^docent ([a-z-]+)/.exec(line)?.[1] ?? '') && !/https?:\/\/(?!docs\.example)|[<$]/.test(line);
  return [...new Set(lines.filter(isLocal))];
}

test('the commands of the documentation run as printed, from the folder of a reader', async () => {
  const home = await temporaryFolder();
  const clone = join(home, 'clone');
  for (const folder of [join(clone, 'docs'), join(home, 'acme/docs')])
    await cp(fixtureSite('basic'), folder, { recursive: true });
  await mkdir(join(home, 'bin'));
  const main = join(root, 'src/main.ts');
  await writeFile(join(home, 'bin/docent'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 });
  const env = { ...process.env, HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH}`, DOCENT_FETCH_REMOTE: 'off' };
  const place = (line: string) => LOCAL.indexOf(/^docent ([a-z-]+)/.exec(line)?.[1] ?? '');
  const commands = (await documentedCommands()).sort((a, b) => place(a) - place(b));
  expect(commands.length).toBeGreaterThan(6);
  const failed: string[] = [];
  for (const command of commands) {
    // A check of this site has findings; that it ran is what counts.
    const code = await promisify(execFile)('sh', ['-c', command], { cwd: clone, env }).then(
      () => 0,
      (error: { code: number; stderr: string }) =>
        /^docent check/.test(command) && error.code === 1 ? 0 : `${error.code} ${error.stderr}`,
    );
    if (code !== 0) failed.push(`${command}: ${code}`);
  }
  expect(failed).toEqual([]);
});
