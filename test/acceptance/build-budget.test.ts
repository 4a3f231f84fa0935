import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixtureSite, publishArchive, tarball } from '../support/http.ts';
import { type RunningDocent, removeTemporaryFolders, startDocent, temporaryFolder } from '../support/start-docent.ts';

let docent: RunningDocent;
beforeAll(async () => {
  // The sample site is published without the small budget.
  const first = await startDocent();
  await first.stop();
  const env = { DOCENT_BUILD_CPU_SECONDS: '8', DOCENT_PUBLISHES_PER_ORGANISATION: '2' };
  docent = await startDocent({ dataFolder: first.dataFolder, env });
});
afterAll(async () => {
  await docent.stop();
  await removeTemporaryFolders();
});

/** A site whose one page has so many code blocks that its build takes minutes. */
async function endlessSite(): Promise<Buffer<ArrayBuffer>> {
  const folder = await temporaryFolder();
  const config = {
    theme: 'mint',
    name: 'Endless',
    colors: { primary: '#4f46e5' },
    navigation: { pages: ['index', 'guides/endless'] },
  };
  await mkdir(join(folder, 'guides'));
  await writeFile(join(folder, 'docs.json'), JSON.stringify(config));
  await writeFile(join(folder, 'index.mdx'), '# Start\n');
  const block = (index: number) =>
    `\`\`\`cpp\n${`template <class T${index}> auto f(T a) { return a<b>(c, "x"); }\n`.repeat(200)}\`\`\`\n\n`;
  await writeFile(join(folder, 'guides/endless.mdx'), Array.from({ length: 1200 }, (_, index) => block(index)).join(''));
  return tarball(folder);
}

test('a build past its CPU budget fails for good, names stage and file, and does not hold up another site', async () => {
  const archive = await endlessSite();
  const [endless, other] = await Promise.all([
    publishArchive(docent, 'endless', archive),
    publishArchive(docent, 'other', tarball(fixtureSite('basic'))),
  ]);
  expect(other.status).toBe('success');
  expect(endless.status).toBe('failure');
  expect(endless.summary).toContain('more than 8 CPU seconds, while compiling pages (guides/endless.mdx)');
  expect(endless.summary).toContain('DOCENT_BUILD_CPU_SECONDS');
  expect(endless.report?.diagnostics).toMatchObject([{ file: 'guides/endless.mdx' }]);
  expect(docent.log().match(/publishing failed/g)).toHaveLength(1);
});
