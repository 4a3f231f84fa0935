import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { docsRoot, readChosen } from './read-drop.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const choose = (content: Uint8Array<ArrayBuffer>, name = 'docs-main.zip') =>
  readChosen([
    Object.assign(new File([content], name), { webkitRelativePath: '' }),
  ] as unknown as FileList);

it('a zip archive of a repository is read as its documentation folder, without files that are never published', async () => {
  const zip = zipSync({
    'docs-main': {
      'README.md': bytesOf('# Read'),
      docs: { 'docs.json': bytesOf('{}'), 'größe.mdx': bytesOf('# Größe') },
    },
    node_modules: { 'a.js': bytesOf('1') },
    'docs-main/docs/.git/config': bytesOf('1'),
  });
  const dropped = await choose(zip);
  if (dropped.kind !== 'folder') throw new Error('It is a folder.');
  expect(dropped.name).toBe('docs-main');
  const files = await Promise.all(
    dropped.files.map(async ({ path, content }) => [path, await content.text()]),
  );
  expect(Object.fromEntries(files)).toEqual({ 'docs.json': '{}', 'größe.mdx': '# Größe' });
});

it('an archive that is damaged, too large or of another type is rejected with a remedy', async () => {
  const intact = zipSync({ 'docs.json': bytesOf('{}'.repeat(500)) });
  await expect(choose(intact.slice(0, -30))).rejects.toThrow(
    /docs-main\.zip is not a zip archive, or it is damaged/,
  );
  const many = zipSync(
    Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`${i}.md`, new Uint8Array()])),
    { level: 0 },
  );
  await expect(choose(many)).rejects.toThrow(/more than 20000 files/);
  await expect(choose(intact, 'docs.rar')).rejects.toThrow(
    /docs\.rar is not a \.tar\.gz or \.zip archive/,
  );
});

it('the folder of the topmost docs.json becomes the root, without one that of the topmost Markdown, and neither is an error', () => {
  const at = (...paths: string[]) =>
    docsRoot(paths.map((path) => ({ path, content: new Blob() }))).map(({ path }) => path);
  expect(at('docs.json', 'index.mdx')).toEqual(['docs.json', 'index.mdx']);
  expect(at('README.md', 'docs/docs.json', 'docs/index.mdx', 'docs/old/docs.json')).toEqual([
    'docs.json',
    'index.mdx',
    'old/docs.json',
  ]);
  expect(at('site/mint.json')).toEqual(['mint.json']);
  expect(at('site/README.md', 'site/guides/a.md', 'site/logo.png')).toEqual([
    'README.md',
    'guides/a.md',
    'logo.png',
  ]);
  expect(() => at('logo.png')).toThrow(/no Markdown files and no docs\.json/);
});
