import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { bundleOf, finish, start } from '../support/exports.ts';
import { fetchSite, fixtureSite, publishFixture } from '../support/http.ts';
import {
  main,
  removeTemporaryFolders,
  runDocent,
  sourceMain,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

afterAll(removeTemporaryFolders);
vi.setConfig({ testTimeout: 300_000 });

/** With it, Node.js refuses a module in TypeScript. */
const NO_TYPESCRIPT = { NODE_OPTIONS: '--no-strip-types' };

test('the bundled program serves, publishes and exports without a module in TypeScript', async () => {
  const docent = await startDocent({ env: NO_TYPESCRIPT });
  await publishFixture(docent, 'basic');
  const page = await (await fetchSite(docent, 'basic', '/guides/install')).text();
  expect(page).toContain('<h1');
  const { jobId } = await start(docent, { domain: 'basic' });
  expect(await finish(docent, jobId)).toMatchObject({ status: 'completed', pageCount: 7 });
  expect(await bundleOf(docent, jobId)).toMatchObject({
    sha256: expect.stringMatching(/^\w{64}$/),
  });
  expect(docent.log()).toBe('');
  expect(await docent.stop()).toBe(0);
});

test('the bundled program and the sources export the same bytes', async () => {
  const folder = await temporaryFolder();
  const hashes = await Promise.all(
    [main, sourceMain].map(async (program, index) => {
      const archive = join(folder, `${index}.tar.gz`);
      const args = ['export', fixtureSite('basic'), '--out', archive, '--no-cache'];
      const { code, stderr } = await runDocent(args, index === 0 ? NO_TYPESCRIPT : {}, program);
      expect(code, stderr).toBe(0);
      return createHash('sha256')
        .update(await readFile(archive))
        .digest('hex');
    }),
  );
  expect(hashes[1]).toBe(hashes[0]);
});
