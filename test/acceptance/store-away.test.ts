import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fetchSite, publishArchive, tarball, until } from '../support/http.ts';
import { hasS3Server, startS3, type TestS3 } from '../support/s3.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

const names = Array.from({ length: 30 }, (_, at) => `page-${at}`);
const IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>A dot</title></svg>';

/** Writes a site of thirty pages, each with a word of its own, and an image. */
async function writeSite(word: string): Promise<string> {
  const folder = await temporaryFolder();
  const navigation = { pages: names };
  writeFileSync(
    join(folder, 'docs.json'),
    JSON.stringify({ theme: 'mint', name: 'Many', colors: { primary: '#123456' }, navigation }),
  );
  for (const name of names)
    writeFileSync(join(folder, `${name}.mdx`), `---\ntitle: ${name}\n---\n\n${word} of ${name}\n`);
  mkdirSync(join(folder, 'images'));
  writeFileSync(join(folder, 'images/dot.svg'), IMAGE);
  return folder;
}

describe.skipIf(!hasS3Server)('while the bucket is unavailable', () => {
  let store: TestS3;
  let docent: RunningDocent;
  let env: Record<string, string>;

  beforeEach(async () => {
    store = await startS3();
    const { bucket, credentials } = await store.createBucket();
    env = {
      DOCENT_SECRET: 'the-same-before-and-after-the-restart',
      DOCENT_BLOBS: 's3',
      DOCENT_S3_BUCKET: bucket,
      DOCENT_S3_ENDPOINT: store.endpoint,
      DOCENT_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      DOCENT_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
    docent = await startDocent({ env, isFirst: true, isBasic: true });
    await publishArchive(docent, 'many', tarball(await writeSite('First')));
  }, 300_000);
  afterEach(async () => {
    await docent?.stop();
    await store?.stop();
  });
  afterAll(removeTemporaryFolders);

  /** Waits until copies of files with these texts are on disk. */
  const copied = (texts: readonly string[]) =>
    until(async () => {
      const entries = await readdir(join(docent.dataFolder, 'file-cache'), {
        recursive: true,
        withFileTypes: true,
      });
      const files = entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name));
      const contents = await Promise.all(
        files.map((file) => readFile(file, 'latin1').catch(() => '')),
      );
      return texts.every((text) => contents.some((content) => content.includes(text))) || undefined;
    });
  const searchHead = async () => {
    const page = await (await fetchSite(docent, 'many', '/page-0')).text();
    return /_docent\/search-index-[\w-]+\.js/.exec(page)?.[0] ?? '';
  };

  test('pages, images and search that this process has not served yet are served, of the last publish, after a kill too', async () => {
    await copied([...names.map((name) => `First of ${name}`), IMAGE, await searchHead()]);
    await publishArchive(docent, 'many', tarball(await writeSite('Second')));
    const head = await searchHead();
    await copied([...names.map((name) => `Second of ${name}`), head]);
    const metrics = await (await fetch(`http://127.0.0.1:${docent.port}/metrics`)).text();
    expect(metrics).toMatch(/^docent_cache_entries\{cache="files_on_disk"\} [1-9]/m);
    await docent.kill();
    docent = await startDocent({ env, isBasic: true, dataFolder: docent.dataFolder });
    await store.stop();
    for (const name of names) {
      const page = await fetchSite(docent, 'many', `/${name}`);
      expect([name, page.status]).toEqual([name, 200]);
      expect(await page.text()).toContain(`Second of ${name}`);
    }
    const image = await fetchSite(docent, 'many', '/images/dot.svg');
    expect([image.status, await image.text()]).toEqual([200, IMAGE]);
    const markdown = await fetchSite(docent, 'many', '/page-7.md');
    expect(await markdown.text()).toContain('Second of page-7');
    expect((await fetchSite(docent, 'many', `/${head}`)).status).toBe(200);
    expect((await fetchSite(docent, 'many', '/no-such-page')).status).toBe(404);
  }, 300_000);
});
