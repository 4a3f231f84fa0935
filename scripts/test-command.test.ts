import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

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
