import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs `npm test` in CI, on test files in a folder of their own. */
function testInCi(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'docent-test-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return spawnSync(
    process.execPath,
    [join(root, 'scripts/test.ts'), '--no-install', `--root=${folder}`, '--globals'],
    { encoding: 'utf8', env: { ...process.env, CI: 'true', FOLDER: folder } },
  );
}

/** A test file that fails as long as it has been started fewer times than this. */
const failsUntil = (start: number, failure: string) => `
  import { appendFileSync, readFileSync } from 'node:fs';
  const starts = process.env.FOLDER + '/starts';
  appendFileSync(starts, '.');
  const isFailing = readFileSync(starts, 'utf8').length < ${start};
  let tries = 0;
  test('first', () => expect(++tries).toBe(1));
  ${failure}
`;

it('in CI, files with a failed test, hook or unhandled error run again from the start, and count once', () => {
  for (const failure of [
    `test('second', () => { if (isFailing) throw new Error('busy'); });`,
    `beforeAll(() => { if (isFailing) throw new Error('busy'); }); test('second', () => {});`,
    `test('second', () => { if (isFailing) Promise.reject(new Error('busy')); });`,
  ]) {
    const { stdout, stderr, status } = testInCi({
      'busy.test.mjs': failsUntil(3, failure),
      'quiet.test.mjs': `test('quiet', () => {});`,
    });
    const skips = stdout.match(/^skipped: /gm)?.length ?? 0;
    expect(stdout, stderr).toMatch(/repeated \(2\): .*busy\.test\.mjs\n/);
    expect(stdout.match(/repeated .*quiet/)).toBeNull();
    expect(stdout).toMatch(new RegExp(`\n3 passed, ${skips} failed\n$`));
    expect(status).toBe(skips === 0 ? 0 : 1);
  }
});

it('in CI, a file that fails each time is a failure', () => {
  const { stdout, status } = testInCi({
    'broken.test.mjs': failsUntil(99, `test('second', () => expect(isFailing).toBe(false));`),
  });
  const skips = stdout.match(/^skipped: /gm)?.length ?? 0;
  expect(stdout).toMatch(new RegExp(`\n1 passed, ${skips + 1} failed\n$`));
  expect(status).toBe(1);
});

it('npm test -- --help shows how to run a part of the tests, and runs none', () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(root, 'scripts/test.ts'), '--help'],
    { encoding: 'utf8' },
  );
  expect([status, stdout.split('\n')[0]]).toEqual([
    0,
    expect.stringMatching(/^npm test +all tests/),
  ]);
  expect(stdout).toContain('--project <name>');
  expect(stdout).not.toContain('passed');
});

it('npm test -- --no-install runs the tests and installs nothing with the package manager of the system', () => {
  const args = [
    join(root, 'scripts/test.ts'),
    '--no-install',
    'packages/format/src/base-path.test.ts',
  ];
  const { CI: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env,
  });
  expect(stderr).not.toContain('Installing');
  expect(stdout).toMatch(/[1-9]\d* passed, 0 failed/);
  expect(status).toBe(0);
});
