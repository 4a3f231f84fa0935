import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { verifyBundle } from './verify-bundle.ts';

type Entry = { name: string; text?: string; type?: 'symlink' };

async function archiveOf(entries: Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, text = '', type } of entries) {
    if (type) tar.entry({ name, type, linkname: '/etc/passwd' });
    else tar.entry({ name }, text);
  }
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}

const files: Entry[] = [
  { name: 'index.html', text: '<a href="guides/start.html#x">go</a><img src="a.png">' },
  {
    name: 'guides/start.html',
    text: '<link rel="stylesheet" href="../s.css"><a href="../">up</a>',
  },
  { name: 's.css', text: 'a{background:url("a.png")}' },
  { name: 'a.png', text: 'image' },
];

function manifest(of: Entry[], more: object = {}): Entry {
  const listed = of.map(({ name, text = '' }) => ({
    path: name,
    sizeBytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  }));
  const value = {
    schemaVersion: 1,
    exportVersion: 'v',
    createdAt: '2026-11-21T00:00:00.000Z',
    name: 'Acme',
    origin: 'https://docs.acme.test',
    redirects: [],
    defaults: {},
    options: { omittedLinks: 'live', basePath: '' },
    pages: [],
    files: listed,
    ...more,
  };
  return { name: 'manifest.json', text: JSON.stringify(value) };
}

async function verify(entries: Entry[], links = false) {
  return verifyBytes(await archiveOf(entries), links);
}

function verifyBytes(bytes: Uint8Array, links = false) {
  return verifyBundle(
    (async function* () {
      yield bytes;
    })(),
    { links },
  );
}

describe('the verification of a bundle', () => {
  it('accepts an archive that matches its manifest', async () => {
    const { fileCount, manifest: read } = await verify([...files, manifest(files)]);
    expect([fileCount, read.name]).toEqual([5, 'Acme']);
  });

  it('reports every file that is missing, extra, or has another size or content', async () => {
    const changed = [
      { name: 'index.html', text: 'shorter' },
      { name: 'guides/start.html', text: (files[1]?.text ?? '').replace('up', 'UP') },
      { name: 's.css', text: files[2]?.text ?? '' },
      { name: 'extra.txt', text: '' },
      { name: 'manifest.json.html', text: '' },
    ];
    const fault = verify([...changed, manifest(files)]);
    await expect(fault).rejects.toThrow(
      /index\.html" has 7 bytes instead of 53[\s\S]*start\.html" does not have the SHA-256[\s\S]*a\.png" is missing[\s\S]*extra\.txt" is not in the manifest[\s\S]*manifest\.json\.html" is not in the manifest/,
    );
  });

  it('rejects an incomplete or invalid archive', async () => {
    const complete = await archiveOf([...files, manifest(files)]);
    await expect(verifyBytes(complete.subarray(0, complete.length - 30))).rejects.toThrow(
      'incomplete',
    );
    await expect(verifyBytes(Buffer.from('no gzip at all'))).rejects.toThrow('damaged');
    await expect(verifyBytes(gzipSync('no tar at all'.repeat(100)))).rejects.toMatchObject({
      code: 'invalid_archive',
    });
    await expect(verifyBytes(Buffer.alloc(0))).rejects.toMatchObject({ code: 'invalid_archive' });
    await expect(verify(files)).rejects.toThrow('no manifest.json');
  });

  it.each([
    [{ name: '../evil', text: '' }, '".." in it'],
    [{ name: '/etc/evil', text: '' }, 'absolute'],
    [{ name: 'a/./b', text: '' }, 'only plain files'],
    [{ name: 'link', type: 'symlink' as const }, 'only plain files'],
    [{ name: 'index.html', text: '' }, 'appears twice'],
  ])('rejects the unsafe entry %j', async (entry, reason) => {
    await expect(verify([...files, entry, manifest(files)])).rejects.toThrow(reason);
  });

  it('rejects an invalid manifest and one of a newer Docent', async () => {
    await expect(verify([{ name: 'manifest.json', text: '{' }])).rejects.toThrow('not JSON');
    await expect(verify([manifest([], { schemaVersion: 99 })])).rejects.toThrow('newer Docent');
    await expect(verify([manifest([], { files: [{ path: 1 }] })])).rejects.toThrow('/files/0/path');
    await expect(verify([{ name: 'manifest.json', text: 'null' }])).rejects.toMatchObject({
      code: 'invalid_archive',
    });
  });

  it('reports broken links, links outside the bundle or to the server root, and loads from other origins', async () => {
    const page = `<a href="/guides/start">root</a><a href="../../../x.html">out</a><script src="https://cdn.test/x.js"></script>
      <a href="https://example.com">fine</a><a href="#x">fine</a><img srcset="none.png 1x, ../a.png 2x"><style>b{background:url(gone.png)}</style>
      <script>"<a href='not/a/link'>"</script><link rel="canonical" href="https://docs.test/x">`;
    const broken = [...files, { name: 'guides/more.html', text: page }];
    const { brokenLinks } = await verify([...broken, manifest(broken)], true);
    expect(brokenLinks.map(({ file, address }) => `${file} ${address}`).sort()).toEqual(
      [
        'guides/more.html ../../../x.html',
        'guides/more.html /guides/start',
        'guides/more.html gone.png',
        'guides/more.html https://cdn.test/x.js',
        'guides/more.html none.png',
        'guides/start.html ../',
      ].sort(),
    );
  });
});
