import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DevSite } from './dev-site.ts';

vi.setConfig({ testTimeout: 180_000 });

const config = (pages: string[], more: object = {}) =>
  JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#0f766e' },
    navigation: { pages },
    ...more,
  });

let root: string;
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const htmlOf = async (site: DevSite, path: string) => (await site.pageContent(path))?.html;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-dev-'));
  write('docs.json', config(['index', 'other']));
  write(
    'index.mdx',
    "---\ntitle: Home\n---\n\nimport Part from '/snippets/part.mdx'\n\nFirst. <Part />\n",
  );
  write('other.mdx', '---\ntitle: Other\n---\n\nSecond.\n');
  write('snippets/part.mdx', 'A part.\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the dev site of a folder', () => {
  test('renders again only the changed pages and those that use a changed snippet', async () => {
    const site = await DevSite.open(root);
    const other = await site.pageContent('other');
    expect(await htmlOf(site, 'index')).toContain('A part.');
    const { build } = site;
    write('snippets/part.mdx', 'Another part.\n');
    expect(await site.change(new Set(['snippets/part.mdx']))).toBe('pages');
    expect(await htmlOf(site, 'index')).toContain('Another part.');
    expect(await site.pageContent('other')).toEqual(other);
    // The shell of the pages is the same, so it is not rebuilt.
    expect(site.build).toBe(build);
  });

  test('reports no change when a file is saved with the same content', async () => {
    const site = await DevSite.open(root);
    await htmlOf(site, 'other');
    write('other.mdx', '---\ntitle: Other\n---\n\nSecond.\n');
    expect(await site.change(new Set(['other.mdx']))).toBe('none');
  });

  test('updates its navigation for new, renamed and removed pages, and for changed titles', async () => {
    const site = await DevSite.open(root);
    const titles = () => site.build?.pages.map((page) => page.title);
    write('docs.json', config(['index', 'other', 'new']));
    write('new.mdx', '---\ntitle: New\n---\n');
    await site.change(new Set(['docs.json', 'new.mdx']));
    expect(titles()).toEqual(['Home', 'Other', 'New']);
    renameSync(join(root, 'new.mdx'), join(root, 'moved.mdx'));
    await site.change(new Set(['new.mdx', 'moved.mdx']));
    expect(site.build?.pages.map((page) => page.path)).toEqual(['index', 'other', 'moved']);
    write('other.mdx', '---\ntitle: Changed\n---\n');
    await site.change(new Set(['other.mdx']));
    expect(titles()).toContain('Changed');
  });

  test('keeps its last state while the configuration is broken, reports the error, and continues when it is fixed', async () => {
    const site = await DevSite.open(root);
    const { build } = site;
    write('docs.json', '{\n  "name": "Acme",,\n}');
    await site.change(new Set(['docs.json']));
    expect(site.fault).toMatchObject({ severity: 'error', file: 'docs.json', line: 2 });
    expect(site.build).toBe(build);
    write('docs.json', config(['other']));
    await site.change(new Set(['docs.json']));
    expect(site.fault).toBeUndefined();
    expect(site.build?.pages[0]?.path).toBe('other');
  });

  test('starts with a broken configuration, and works when it is fixed', async () => {
    write('docs.json', '{');
    const site = await DevSite.open(root);
    expect(site.build).toBeUndefined();
    expect(site.fault?.file).toBe('docs.json');
    write('docs.json', config(['index']));
    expect(await site.change(new Set(['docs.json']))).toBe('site');
    expect(await htmlOf(site, 'index')).toContain('First.');
  });

  test('reloads browsers after a change of settings or scripts, but not of a style sheet', async () => {
    write('style.css', 'a{color:red}');
    const site = await DevSite.open(root);
    write('style.css', 'a{color:blue}');
    expect(await site.change(new Set(['style.css']))).toBe('pages');
    write('run.js', 'console.log(1)');
    expect(await site.change(new Set(['run.js']))).toBe('site');
    write('docs.json', config(['index', 'other'], { name: 'Renamed' }));
    expect(await site.change(new Set(['docs.json']))).toBe('site');
  });

  test('detects changes without hints', async () => {
    const site = await DevSite.open(root);
    await htmlOf(site, 'other');
    write('other.mdx', '---\ntitle: Other\n---\n\nThird text.\n');
    expect(await site.change('anything')).toBe('pages');
    expect(await htmlOf(site, 'other')).toContain('Third text.');
  });

  test('never follows a symbolic link out of the folder, even one that is created later', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'docent-outside-'));
    writeFileSync(join(outside, 'secret.svg'), '<svg/>');
    write('dot.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const site = await DevSite.open(root);
    const entry = site.build?.files['dot.svg'];
    expect(site.files.read(entry?.sha256 ?? '')).toBeDefined();
    rmSync(join(root, 'dot.svg'));
    symlinkSync(join(outside, 'secret.svg'), join(root, 'dot.svg'));
    expect(site.files.read(entry?.sha256 ?? '')).toBeUndefined();
    await site.change(new Set(['dot.svg']));
    expect(Object.keys(site.build?.files ?? {})).not.toContain('dot.svg');
    rmSync(outside, { recursive: true });
  });

  test('supports two pages whose names differ only in case', async () => {
    write('Other.mdx', '---\ntitle: Capital\n---\n\nCapital.\n');
    const site = await DevSite.open(root);
    expect([await htmlOf(site, 'other'), await htmlOf(site, 'Other')].join()).toMatch(
      /Second.*Capital/s,
    );
  });

  test('reports the problems of all pages when all are compiled, including broken anchors', async () => {
    write('other.mdx', '---\ntitle: Other\n---\n\n[nowhere](/index#nothing)\n\n<Unheard />\n');
    const site = await DevSite.open(root);
    expect(await site.makeAll()).toBe(true);
    expect(new Set(site.diagnostics().map((one) => one.file))).toContain('other.mdx');
    expect(site.diagnosticsOf('other').map((one) => one.code)).toContain('unknown-component');
  });
});
