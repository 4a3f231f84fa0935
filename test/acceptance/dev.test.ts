import { cp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { fixtureSite, getAs } from '../support/http.ts';
import { type RunningDev, startDev } from '../support/start-dev.ts';
import { removeTemporaryFolders, runDocent, temporaryFolder } from '../support/start-docent.ts';

describe('docent dev', () => {
  let folder: string;
  let dev: RunningDev;
  let logged: number;
  /** What it has printed since the start of this attempt. */
  const log = () => dev.log().slice(logged);
  beforeAll(async () => {
    folder = await temporaryFolder();
    await cp(fixtureSite('basic'), folder, { recursive: true });
    dev = await startDev(folder);
  });
  beforeEach(() => {
    logged = dev.log().length;
  });
  afterAll(async () => {
    await dev?.stop();
    await removeTemporaryFolders();
  });

  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  const get = async (path: string) =>
    (await fetch(dev.url.replace('localhost', '127.0.0.1') + path)).text();
  const pageWith = (body: string) => `---\ntitle: Install\n---\n\n${body}\n`;

  test('refreshes the browsers that show a changed page and serves the change', async () => {
    const browser = await dev.listen('/guides/install');
    const sentence = `A quite new sentence at ${performance.now()}.`;
    await write('guides/install.mdx', pageWith(sentence));
    await browser.next((event) => event.type === 'refresh');
    expect(await get('/guides/install')).toContain(sentence);
    browser.close();
  });

  test('reports a syntax error in a page with its file, remedy and source lines until it is fixed', async () => {
    const browser = await dev.listen('/guides/install');
    await write('guides/install.mdx', pageWith('export const a = ;\n\nText.'));
    const broken = await browser.next((event) => (event.errors?.length ?? 0) > 0);
    expect(broken.errors?.[0]).toMatchObject({
      file: 'guides/install.mdx',
      remedy: expect.stringMatching(/./),
    });
    expect(broken.errors?.[0]?.excerpt?.find((line) => line.marked)?.text).toContain(
      'export const a',
    );
    await write('guides/install.mdx', pageWith('Whole again.'));
    await browser.next((event) => event.type === 'problems' && event.errors?.length === 0);
    browser.close();
  });

  test('keeps serving the last valid site while docs.json is invalid, and sends the error to browsers', async () => {
    const browser = await dev.listen('/guides/components');
    const name = `Again ${performance.now()}`;
    const good = JSON.stringify({
      theme: 'mint',
      name,
      colors: { primary: '#0f766e' },
      navigation: { pages: ['index'] },
    });
    onTestFinished(() => write('docs.json', good));
    await write('docs.json', '{\n  "name": "Acme"\n  "theme": "mint"\n}');
    const problem = await browser.next((event) => (event.errors?.length ?? 0) > 0);
    expect(problem.errors?.[0]).toMatchObject({ file: 'docs.json', line: 2 });
    expect((await fetch(`http://127.0.0.1:${dev.port}/guides/components`)).status).toBe(200);
    await expect.poll(log).toMatch(/docs\.json is not valid JSON[\s\S]*1 error/);
    const reports = log()
      .split('\n')
      .filter((line) => line.includes('docs.json is not valid JSON') && !line.includes('✓ fixed'));
    expect(reports).toHaveLength(1);
    await write('docs.json', good);
    await browser.next((event) => event.type === 'reload');
    expect(await get('/guides/components')).toContain(name);
    browser.close();
  });

  test('prints a warning in the terminal with its file, line, source line and remedy, and says when it is fixed', async () => {
    const browser = await dev.listen('/guides/install');
    // Another text for each attempt: a page that stays as it is says nothing.
    await write('guides/install.mdx', pageWith(`${performance.now()}\n\n<Callot>Note</Callot>`));
    await expect
      .poll(log)
      .toMatch(
        /guides\/install\.mdx\n {2}7\S* +warning There is no component <Callot>\.[^\n]*\n +\| <Callot>Note<\/Callot>\n +→ \S/,
      );
    await write('guides/install.mdx', pageWith('Whole again.'));
    await expect
      .poll(log)
      .toMatch(/✓ fixed {2}guides\/install\.mdx {2}There is no component <Callot>/);
    browser.close();
  });

  test('serves a new page, and returns 404 once it is removed', async () => {
    await write('guides/gone.mdx', pageWith('Here.'));
    await expect.poll(() => get('/guides/gone')).toContain('Here.');
    const browser = await dev.listen('/guides/gone');
    await rm(join(folder, 'guides/gone.mdx'));
    await browser.next((event) => event.type !== 'problems');
    expect((await fetch(`http://127.0.0.1:${dev.port}/guides/gone`)).status).toBe(404);
    browser.close();
  });

  test('rejects foreign host names and paths that leave the folder', async () => {
    expect((await getAs(dev.port, 'evil.example', '/')).status).toBe(421);
    expect((await getAs(dev.port, 'localhost.evil.example', '/')).status).toBe(421);
    expect((await getAs(dev.port, `localhost:${dev.port}`, '/guides/install')).status).toBe(200);
    for (const path of [
      '/../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/images/..%2f..%2fdocs.json',
      '/%00',
      '/%zz',
    ]) {
      expect([400, 404], path).toContain((await getAs(dev.port, 'localhost', path)).status);
    }
  });

  test('skips a port that is in use, and exits with code 0 on Ctrl-C', async () => {
    const taken = createServer();
    await new Promise((resolve) => taken.listen(0, '127.0.0.1', () => resolve(undefined)));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const second = await startDev(folder, ['--port', String(port)]);
    expect(second.port).toBeGreaterThan(port);
    expect(await second.stop()).toBe(0);
    taken.close();
  });

  test('rejects a folder without docs.json with a clear message', async () => {
    const empty = await temporaryFolder();
    const { code, stderr } = await runDocent(['dev', empty]);
    expect(code).toBe(1);
    expect(stderr).toContain('There is no docs.json');
  });
});
