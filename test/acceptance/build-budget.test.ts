import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { addHostileOrganization, HOSTILE_SITES } from '../support/hostile-organization.ts';
import { fixtureSite, publishArchive, tarball } from '../support/http.ts';
import { postgresBin, startPostgres } from '../support/postgres.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

let docent: RunningDocent;
beforeAll(async () => {
  docent = await startDocent({
    env: { DOCENT_BUILD_CPU_SECONDS: '3', DOCENT_PUBLISHES_PER_ORGANIZATION: '2' },
  });
});
afterAll(async () => {
  await docent?.stop();
  await removeTemporaryFolders();
});

/** A site whose one page has so much code, no line of it twice, that its build takes minutes. */
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
  const line = (index: number) =>
    `template <class T${index}> auto f${index}(T a) { return a<b>(c, "x"); }\n`;
  const lines = Array.from({ length: 240_000 }, (_, index) =>
    index % 200 === 199 ? `${line(index)}\`\`\`\n\n\`\`\`cpp\n` : line(index),
  );
  await writeFile(join(folder, 'guides/endless.mdx'), `\`\`\`cpp\n${lines.join('')}\`\`\`\n`);
  return tarball(folder);
}

test('a build over its CPU budget fails permanently, names stage and file, and does not block another site', async () => {
  const failures = () => docent.log().split('publishing failed').length - 1;
  const before = failures();
  const archive = await endlessSite();
  const [endless, other] = await Promise.all([
    publishArchive(docent, 'endless', archive),
    publishArchive(docent, 'other', tarball(fixtureSite('small'))),
  ]);
  expect(other.status).toBe('success');
  expect(endless.status).toBe('failure');
  expect(endless.summary).toContain(
    'more than 3 CPU seconds, while compiling pages (guides/endless.mdx)',
  );
  expect(endless.summary).toContain('DOCENT_BUILD_CPU_SECONDS');
  expect(endless.report?.diagnostics).toMatchObject([{ file: 'guides/endless.mdx' }]);
  expect(failures()).toBe(before + 1);
});

test.skipIf(postgresBin === undefined)(
  'every hostile site builds or fails within its budget, naming stage and file, while another organization publishes',
  { timeout: 600_000 },
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const address = await postgres.createDatabase();
    const server = await startDocent({
      env: {
        DOCENT_DATABASE: 'postgres',
        DOCENT_DATABASE_URL: address,
        DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR: '10000',
        DOCENT_BUILD_CPU_SECONDS: '3',
        DOCENT_BUILD_MEMORY_MB: '1024',
      },
    });
    onTestFinished(async () => void (await server.stop()));
    const hostile = { ...server, adminKey: await addHostileOrganization(address) };
    let isOver = false;
    const attacks = (async () => {
      for (const [index, [name, archive]] of Object.entries(HOSTILE_SITES).entries()) {
        const { status, summary, report } = await publishArchive(
          hostile,
          `hostile-${index}`,
          Buffer.from(archive),
        );
        if (status === 'success') continue;
        expect([name, summary]).toEqual([
          name,
          expect.stringMatching(/more than \d+ (?:CPU seconds|MB of memory), while .+/),
        ]);
        // A page that is generated from an API description has no source file.
        expect(report?.diagnostics[0]?.file).toMatch(/\.(?:mdx|json|css|jsx)$|^api-reference\//);
      }
    })().finally(() => {
      isOver = true;
    });
    // It is awaited below; until then, its failure is nobody's.
    attacks.catch(() => {});
    let published = 0;
    while (!isOver) {
      expect((await publishArchive(server, 'other', tarball(fixtureSite('small')))).status).toBe(
        'success',
      );
      published += 1;
      await Promise.race([attacks, wait(8000)]);
    }
    await attacks;
    expect(published).toBeGreaterThan(1);
    expect(server.log()).not.toContain('"level":50');
  },
);
