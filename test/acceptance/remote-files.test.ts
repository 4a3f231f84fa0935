import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleOf, finish, start, unpack } from '../support/exports.ts';
import { type DeploymentBody, getAs, publishArchive, tarball } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

/** The header of a PNG and some data. */
function png(width: number, height: number): Buffer {
  const head = Buffer.from(
    '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\b\u0002\0\0\0\0\0\0\0',
    'latin1',
  );
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, deflateSync(Buffer.alloc(width))]);
}

const scripted =
  '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>';
const answers: Record<string, (response: ServerResponse, base: string) => void> = {
  '/shot.png': (response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end(png(640, 320)),
  '/moved.png': (response, base) => response.writeHead(302, { location: `${base}/shot.png` }).end(),
  '/logo.svg': (response) =>
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(scripted),
  '/fonts.css': (response) =>
    response
      .writeHead(200, { 'content-type': 'text/css' })
      .end('@font-face{font-family:A;src:url(a.woff2)}'),
  '/a.woff2': (response) =>
    response.writeHead(200, { 'content-type': 'font/woff2' }).end('wOF2 and more'),
  '/lies.png': (response) =>
    response
      .writeHead(200, { 'content-type': 'image/png' })
      .end('<!doctype html><title>Sign in</title>'),
  '/loop.png': (response) => response.writeHead(302, { location: '/loop.png' }).end(),
  '/metadata.png': (response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  '/endless.png': (response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    const more = () => {
      while (response.write(Buffer.alloc(65_536)));
      response.once('drain', more);
    };
    more();
  },
  '/huge.png': (response) =>
    response
      .writeHead(200, { 'content-type': 'image/png', 'content-length': '99999999999' })
      .write('x'),
};

describe('a site with files from other servers', () => {
  let docent: RunningDocent;
  let deployment: DeploymentBody;
  let base: string;
  let isDown = false;
  const requests: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'docent-remote-'));
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (isDown) return void response.writeHead(503).end();
    const answer = answers[request.url ?? ''];
    if (answer) answer(response, base);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('Not found');
  });

  const publish = async () => publishArchive(docent, 'remote', tarball(folder));
  const get = (path: string) => getAs(docent.port, `remote.localhost:${docent.port}`, path);

  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const bad = ['lies', 'loop', 'metadata', 'endless', 'huge', 'gone'];
    const config = {
      theme: 'mint',
      name: 'Remote',
      colors: { primary: '#336699' },
      logo: `${base}/logo.svg`,
      navigation: { pages: ['index'] },
    };
    const files = {
      'docs.json': JSON.stringify(config),
      'index.mdx': `![Shot](${base}/shot.png)\n\n![Moved](${base}/moved.png)\n\n${bad.map((name) => `![Bad ${name}](${base}/${name}.png)`).join('\n\n')}\n`,
      'own.css': `@import "${base}/fonts.css";`,
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    docent = await startDocent({ env: { DOCENT_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32' } });
    deployment = await publish();
  });
  afterAll(async () => {
    await docent.stop();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
    await removeTemporaryFolders();
  });

  test('serves copies with the dimensions and the media type that their bytes determine', async () => {
    expect(deployment.status).toBe('success');
    const page = (await get('/')).body.toString();
    const shots = [
      ...page.matchAll(
        /<img src="(\/_docent\/outside\/[^"]+\.png[^"]*)" width="640" height="320" alt="(\w+)"/g,
      ),
    ];
    expect(shots.map(([, , alt]) => alt)).toEqual(['Shot', 'Moved']);
    const shot = await get(shots[0]?.[1] as string);
    expect([shot.status, shot.headers['content-type']]).toEqual([200, 'image/png']);
    expect(shot.body.equals(png(640, 320))).toBe(true);
  });

  test('prevents scripts in SVG images from running', async () => {
    const logo = /<img class="nav-logo" src="(\/_docent\/outside\/[^"]+\.svg[^"]*)"/.exec(
      (await get('/')).body.toString(),
    )?.[1];
    expect((await get(logo as string)).headers['content-security-policy']).toContain('sandbox');
  });

  test('serves copies of the fonts and style sheets that its CSS imports', async () => {
    const own = (await get('/own.css')).body.toString();
    const imported = await get(`/${/"(_docent\/outside\/[^"]+\.css)"/.exec(own)?.[1]}`);
    const font = /url\("([^"]+\.woff2)"\)/.exec(imported.body.toString())?.[1];
    expect((await get(`/_docent/outside/${font}`)).body.toString()).toBe('wOF2 and more');
  });

  test('reports once all files that are mislabeled, looping, endless, huge, internal or missing', async () => {
    const found =
      deployment.report?.diagnostics.filter(({ code }) => code === 'outside-file') ?? [];
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).toContain('6 files from other servers');
    const page = (await get('/')).body.toString();
    expect(page.match(/src="http:\/\/127\.0\.0\.1:[^"]+"/g)).toHaveLength(6);
  });

  test('exports a bundle that loads nothing from other servers, with a box for each missing image', async () => {
    const job = await start(docent, { domain: 'remote' });
    expect((await finish(docent, job.jobId)).status).toBe('completed');
    const bundle = await unpack(await bundleOf(docent, job.jobId));
    const page = readFileSync(join(bundle, 'index.html'), 'utf8');
    expect(page.match(/<a class="d-outside"/g)).toHaveLength(6);
    expect(page).not.toMatch(/(?:src|srcset)="https?:/);
    expect(readdirSync(join(bundle, '_docent/outside')).map((name) => name.split('.')[1])).toEqual(
      expect.arrayContaining(['png', 'svg', 'css', 'woff2']),
    );
  });

  test('keeps serving the copies while the other servers are down', async () => {
    isDown = true;
    const again = await publish();
    isDown = false;
    expect(again.report?.diagnostics.map(({ code }) => code)).toContain('outside-file-kept');
    expect((await get('/')).body.toString()).toMatch(
      /<img src="\/_docent\/outside\/[^"]+" width="640"/,
    );
  });
});
