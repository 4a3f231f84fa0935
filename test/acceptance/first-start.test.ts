import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { call, fetchSite, fixtureSite, publishArchive, tarball } from '../support/http.ts';
import {
  type FirstStart,
  firstStartFile,
  removeTemporaryFolders,
  runDocent,
  sharedDocent,
  startDocent,
  TEMPLATE_VARIABLE,
  temporaryFolder,
} from '../support/start-docent.ts';

afterAll(removeTemporaryFolders);

describe('docent serve', () => {
  test('publishes our documentation and creates keys on the first start, and serves on with the same data after a stop and after kill -9', async () => {
    const file = firstStartFile(process.env[TEMPLATE_VARIABLE] ?? '');
    const first = JSON.parse(await readFile(file, 'utf8')) as FirstStart;
    expect(first).toMatchObject({
      domain: 'docent',
      apiUrl: `http://localhost:${first.port}`,
      siteUrl: `http://docent.localhost:${first.port}/`,
      page: { status: 200, text: expect.stringContaining('Quickstart') },
      exitCode: 0,
    });
    expect(first.assistantKey).toMatch(/^svc_dsc_/);
    expect(first.adminKey).toMatch(/^svc_(?!dsc_)/);

    const second = await startDocent();
    // What a product or a script uses goes on working: the keys themselves, and those made with
    // them.
    expect(second).toMatchObject({ assistantKey: first.assistantKey, adminKey: first.adminKey });
    expect((await call(second, second.adminKey, 'GET', '/v1/projects')).status).toBe(200);
    const options = { kind: 'assistant', name: 'Widget', site: 'docent' };
    const widget = (await (
      await call(second, second.adminKey, 'POST', '/v1/keys', options)
    ).json()) as { key: string };
    // The key is secret.
    expect((await stat(join(second.dataFolder, 'sample-keys.json'))).mode & 0o077).toBe(0);
    expect((await fetchSite(second, 'docent', '/quickstart')).status).toBe(200);
    await publishArchive(second, 'killed', tarball(fixtureSite('small')));
    await second.kill();

    const third = await startDocent({ dataFolder: second.dataFolder, port: second.port });
    expect(third).toMatchObject({ assistantKey: first.assistantKey, adminKey: first.adminKey });
    expect((await fetchSite(third, 'killed', '/')).status).toBe(200);
    expect(
      (await call(third, widget.key, 'POST', '/v1/search/docent', { query: 'quickstart' })).status,
    ).toBe(200);
    expect(await third.stop()).toBe(0);
  });

  test('replaces a revoked key of the sample at the next start, and does not publish a deleted sample again', async () => {
    const first = await startDocent();
    const { keys } = (await (await call(first, first.adminKey, 'GET', '/v1/keys')).json()) as {
      keys: { id: string }[];
    };
    // Its own key last.
    for (const { id } of keys.toReversed())
      await call(first, first.adminKey, 'DELETE', `/v1/keys/${id}`);
    expect((await call(first, first.adminKey, 'GET', '/v1/projects')).status).toBe(401);
    await first.stop();

    const { dataFolder, port } = first;
    const second = await startDocent({ dataFolder, port });
    expect(second.adminKey).not.toBe(first.adminKey);
    expect(
      (await call(second, second.assistantKey, 'POST', '/v1/search/docent', { query: 'start' }))
        .status,
    ).toBe(200);
    expect(
      (await call(second, second.adminKey, 'DELETE', '/v1/projects/docent?confirm=docent')).status,
    ).toBe(204);
    await second.stop();

    const third = await startDocent({ dataFolder, port });
    expect((await fetchSite(third, 'docent', '/')).status).not.toBe(200);
    expect(third.adminKey).toBeUndefined();
    await third.stop();
  });

  test('exits with code 3 and one clear line if the port or the data folder is in use', async () => {
    const running = await sharedDocent();
    const busyPort = await runDocent(['serve'], {
      DOCENT_PORT: String(running.port),
      DOCENT_DATA: await temporaryFolder(),
    });
    expect(busyPort).toMatchObject({ code: 3, stdout: '' });
    expect(busyPort.stderr.trim().split('\n')).toEqual([
      expect.stringContaining(`Port ${running.port} is in use`),
    ]);

    const busyFolder = await runDocent(['serve'], {
      DOCENT_DATA: running.dataFolder,
      DOCENT_PORT: '0',
    });
    expect(busyFolder).toMatchObject({ code: 3, stdout: '' });
    expect(busyFolder.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/is using the data folder/),
    ]);
  });

  test('names an invalid setting with the expected value, and a misspelled one with the correct name', async () => {
    const bad = await runDocent(['serve'], {
      DOCENT_PORT: 'eighty',
      DOCENT_DATA: await temporaryFolder(),
    });
    expect(bad.code).toBe(2);
    expect(bad.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^docent: DOCENT_PORT: .*0 to 65535/),
    ]);
    const misspelt = await runDocent(['serve'], {
      DOCENT_PROT: '80',
      DOCENT_DATA: await temporaryFolder(),
    });
    expect(misspelt.code).toBe(2);
    expect(misspelt.stderr).toContain('DOCENT_PORT');
  });

  test('reports a data folder that is a file in one line', async () => {
    const folder = join(await temporaryFolder(), 'file');
    await mkdir(folder);
    const { writeFile } = await import('node:fs/promises');
    await writeFile(join(folder, 'data'), 'a file, not a folder');
    const { code, stderr } = await runDocent(['serve'], {
      DOCENT_DATA: join(folder, 'data'),
      DOCENT_PORT: '0',
    });
    expect(code).not.toBe(0);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
