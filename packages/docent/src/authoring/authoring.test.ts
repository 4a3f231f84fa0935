import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectedOutput } from '../../../../test/support/collected-output.ts';
import { runBuild, runExport } from './build.ts';
import { runCheck } from './check.ts';
import { runInit, runUpgrade } from './write-docs-json.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-authoring-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, content: unknown) =>
  writeFileSync(
    join(folder, file),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
const docs = {
  theme: 'mint',
  name: 'S',
  colors: { primary: '#123456' },
  navigation: { pages: ['index'] },
};
const mint = {
  name: 'Old',
  colors: { primary: '#123456' },
  navigation: [{ group: 'G', pages: ['index'] }],
  rounded: 'sharp',
};

describe('docent check', () => {
  it('exits with 0 for warnings, with 1 for errors, and with 1 for warnings in strict mode', async () => {
    write('docs.json', docs);
    write('index.mdx', '![Logo](/gone.png)\n');
    expect(await runCheck(folder, {}, collectedOutput())).toBe(0);
    expect(await runCheck(folder, { strict: true }, collectedOutput())).toBe(1);
    write('docs.json', {
      ...docs,
      redirects: [
        { source: '/a', destination: '/b' },
        { source: '/b', destination: '/a' },
      ],
    });
    expect(await runCheck(folder, {}, collectedOutput())).toBe(1);
  });

  it('fails for broken links and broken frontmatter, unless the site or the caller says otherwise', async () => {
    write('docs.json', docs);
    write('index.mdx', '---\ntitle: "Start\n---\n\n[gone](/gone)\n');
    expect(await runCheck(folder, {}, collectedOutput())).toBe(1);
    write('docs.json', {
      ...docs,
      checks: { 'broken-link': 'warning', 'frontmatter-syntax': 'off' },
    });
    const output = collectedOutput();
    expect(await runCheck(folder, {}, output)).toBe(0);
    expect(output.values).toMatchObject([
      { findings: [{ severity: 'warning', code: 'broken-link' }] },
    ]);
    expect(await runCheck(folder, { rule: { 'broken-link': 'error' } }, collectedOutput())).toBe(1);
    expect(
      await runCheck(folder, { strict: true, rule: { 'broken-link': 'off' } }, collectedOutput()),
    ).toBe(0);
  });

  it('cannot hide that a site has no build', async () => {
    write('docs.json', '{');
    expect(await runCheck(folder, { rule: { 'build-failed': 'off' } }, collectedOutput())).toBe(1);
  });

  it('names files from the root of the repository in annotations, wherever it runs', async () => {
    mkdirSync(join(folder, 'site/docs'), { recursive: true });
    write('site/docs/docs.json', docs);
    write('site/docs/index.mdx', '[gone](/gone)\n');
    const annotated = async () => {
      const output = collectedOutput();
      await runCheck(join(folder, 'site/docs'), { format: 'github' }, output);
      return output.printed[0];
    };
    execFileSync('git', ['init', '-q', join(folder, 'site')]);
    expect(await annotated()).toContain('::error file=docs/index.mdx,line=1,col=1,');
    vi.stubEnv('GITHUB_WORKSPACE', folder);
    expect(await annotated()).toContain('::error file=site/docs/index.mdx,');
    vi.unstubAllEnvs();
  });

  it('rejects a missing folder as a usage error', async () => {
    await expect(runCheck(join(folder, 'none'), {}, collectedOutput())).rejects.toMatchObject({
      code: 'invalid_setting',
    });
  });

  it('shows hints only on request, and never fails for them', async () => {
    write('docs.json', docs);
    write('index.mdx', 'Text.\n');
    write('other.mdx', 'Text.\n');
    const quiet = collectedOutput();
    expect(await runCheck(folder, { strict: true }, quiet)).toBe(0);
    expect(quiet.printed[0]).toContain('1 hint not shown');
    expect(quiet.values).toMatchObject([{ findings: [] }]);
    const full = collectedOutput();
    expect(await runCheck(folder, { strict: true, all: true }, full)).toBe(0);
    expect(full.printed[0]).toContain('unreachable-page');
  });
});

describe('docent build and docent export', () => {
  it('write nothing with --strict if there is a warning, and otherwise write it and exit with 0', async () => {
    write('docs.json', docs);
    write('index.mdx', '![Logo](/gone.png)\n');
    const options = {
      origin: 'https://docs.example.com',
      omittedLinks: 'live',
      basePath: '',
    } as const;
    const site = { ...options, out: join(folder, 'site') };
    const bundle = { ...options, out: join(folder, 'bundle.tar.gz') };
    expect(await runBuild(folder, { ...site, strict: true }, collectedOutput())).toBe(1);
    expect(await runExport(folder, { ...bundle, strict: true }, collectedOutput())).toBe(1);
    expect(existsSync(site.out) || existsSync(bundle.out)).toBe(false);
    expect(await runBuild(folder, site, collectedOutput())).toBe(0);
    expect(
      await runExport(
        folder,
        { ...bundle, strict: true, rule: { 'missing-file': 'off' } },
        collectedOutput(),
      ),
    ).toBe(0);
    expect(existsSync(join(site.out, 'index.html')) && existsSync(bundle.out)).toBe(true);
  });

  it('name a file of a further folder where it is on disk, but not in what they write', async () => {
    for (const name of ['site', 'api-docs']) mkdirSync(join(folder, name));
    write('site/docs.json', docs);
    write('site/index.mdx', 'Welcome.\n');
    write('api-docs/docs.json', docs);
    write('api-docs/index.mdx', '![Logo](/gone.png)\n');
    const options = {
      origin: 'https://docs.example.com',
      omittedLinks: 'live',
      basePath: '',
      out: join(folder, 'out'),
      source: { api: join(folder, 'api-docs') },
    } as const;
    const output = collectedOutput();
    expect(await runBuild(join(folder, 'site'), options, output)).toBe(0);
    const [result] = output.values as { report: { diagnostics: { file?: string }[] } }[];
    expect(result?.report.diagnostics.map(({ file }) => file)).toContain('../api-docs/index.mdx');
    const written = readdirSync(options.out, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.json'),
    );
    for (const file of written)
      expect(readFileSync(join(options.out, file), 'utf8'), file).not.toContain('../api-docs');
  });
});

describe('docent init', () => {
  const site = () => JSON.parse(readFileSync(join(folder, 'docs.json'), 'utf8'));

  it('creates a site with the name of the project in a new folder, without findings', async () => {
    const root = join(folder, 'acme-api', 'docs');
    const output = collectedOutput();
    await runInit(root, {}, output);
    expect(readdirSync(root).sort()).toEqual([
      '.docent',
      'docs.json',
      'index.mdx',
      'quickstart.mdx',
    ]);
    expect(output.values).toEqual([
      {
        folder: root,
        written: ['index.mdx', 'quickstart.mdx', 'docs.json'],
        pageCount: 2,
        redirectCount: 0,
      },
    ]);
    const checked = collectedOutput();
    expect(await runCheck(root, { strict: true, all: true }, checked)).toBe(0);
    expect(checked.values).toMatchObject([{ findings: [] }]);
    const { name, $schema } = JSON.parse(readFileSync(join(root, 'docs.json'), 'utf8'));
    expect(name).toBe('Acme api');
    // Editors find the schema without a network.
    expect(JSON.parse(readFileSync(join(root, $schema), 'utf8'))).toMatchObject({
      title: 'docs.json',
    });
  });

  it('creates a menu of existing pages and API descriptions, with introductions first and folders as groups', async () => {
    for (const path of ['guides/deep', 'snippets', '_drafts', 'node_modules/x'])
      mkdirSync(join(folder, path), { recursive: true });
    const pages = [
      'README.md',
      'b.md',
      'guides/z.md',
      'guides/index.mdx',
      'guides/deep/10-ten.md',
      'guides/deep/9-nine.md',
    ];
    for (const page of [
      ...pages,
      'CHANGELOG.md',
      'snippets/s.mdx',
      '_drafts/d.md',
      'node_modules/x/README.md',
    ])
      write(page, '# Text\n');
    write(
      'shop.yaml',
      'openapi: 3.1.0\ninfo: { title: Shop, version: "1" }\npaths: { /a: { get: { responses: {} } } }\n',
    );
    await runInit(folder, { name: 'Shop' }, collectedOutput());
    expect(site()).toMatchObject({ name: 'Shop' });
    expect(site().navigation.groups).toEqual([
      { group: 'Get started', pages: ['README', 'b'] },
      {
        group: 'Guides',
        pages: [
          'guides/index',
          'guides/z',
          { group: 'Deep', pages: ['guides/deep/9-nine', 'guides/deep/10-ten'] },
        ],
      },
      { group: 'API reference', openapi: 'shop.yaml' },
    ]);
    expect(await runCheck(folder, { strict: true }, collectedOutput())).toBe(0);
  });

  it('never overwrites a file, and suggests the upgrade for a mint.json', async () => {
    write('docs.json', docs);
    await expect(runInit(folder, {}, collectedOutput())).rejects.toThrow(
      'docs.json already exists',
    );
    expect(site()).toEqual(docs);
    rmSync(join(folder, 'docs.json'));
    write('mint.json', mint);
    await expect(runInit(folder, {}, collectedOutput())).rejects.toThrow(
      `docent upgrade ${folder}`,
    );
    expect(readdirSync(folder)).toEqual(['mint.json']);
  });
});

describe('docent upgrade', () => {
  it('writes docs.json, keeps mint.json, and reports what it omits', async () => {
    write('mint.json', mint);
    const output = collectedOutput();
    await runUpgrade(folder, {}, output);
    expect(JSON.parse(readFileSync(join(folder, 'docs.json'), 'utf8'))).toMatchObject({
      theme: 'mint',
      name: 'Old',
    });
    expect(readdirSync(folder).sort()).toEqual(['.docent', 'docs.json', 'mint.json']);
    expect(output.printed[0]).toContain('rounded is omitted: the layout comes from "theme"');
    expect(output.values).toMatchObject([{ written: true, lost: [{ name: 'rounded' }] }]);
  });

  it('overwrites a docs.json only with --force', async () => {
    write('mint.json', mint);
    write('docs.json', 'mine');
    await expect(runUpgrade(folder, {}, collectedOutput())).rejects.toThrow('already exists');
    expect(readFileSync(join(folder, 'docs.json'), 'utf8')).toBe('mine');
    await runUpgrade(folder, { force: true }, collectedOutput());
    expect(readFileSync(join(folder, 'docs.json'), 'utf8')).toContain('"Old"');
  });

  it('only prints the file in a dry run', async () => {
    write('mint.json', mint);
    const output = collectedOutput();
    await runUpgrade(folder, { dryRun: true }, output);
    expect(existsSync(join(folder, 'docs.json'))).toBe(false);
    expect(output.printed[0]).toContain('"name": "Old"');
    expect(output.values).toMatchObject([
      { written: false, text: expect.stringContaining('"name": "Old"') },
    ]);
  });

  it.each([
    ['a missing mint.json', undefined, 'There is no mint.json'],
    ['a mint.json with a syntax error', '{"name": "x"\n "theme": 1}', 'Line 1, column 13'],
    ['a mint.json without a navigation', '{"name": "x"}', 'no usable navigation'],
  ])('rejects %s with a clear message', async (_, text, message) => {
    if (text !== undefined) write('mint.json', text);
    await expect(runUpgrade(folder, {}, collectedOutput())).rejects.toThrow(message);
    expect(existsSync(join(folder, 'docs.json'))).toBe(false);
  });
});

describe('the pages of the last command', () => {
  const inode = (path: string) => statSync(path).ino;
  let home: string;
  const packs = () =>
    readdirSync(join(home, 'docent/pages')).map((name) => join(home, 'docent/pages', name));
  beforeEach(() => {
    home = join(folder, 'home');
    vi.stubEnv('XDG_CACHE_HOME', home);
    mkdirSync(join(folder, 'site'));
    write('site/docs.json', { ...docs, navigation: { pages: ['index', 'other'] } });
    write('site/index.mdx', '```js\nconst a = 1;\n```\n\n[gone](/gone)\n');
    write('site/other.mdx', 'Text.\n');
  });
  afterEach(() => vi.unstubAllEnvs());

  const site = () => join(folder, 'site');
  const exported = async (cache: boolean, name = 'a.tar.gz') => {
    const out = join(folder, name);
    expect(
      await runExport(
        site(),
        { out, origin: 'https://a.test', omittedLinks: 'live', basePath: '', cache },
        collectedOutput(),
      ),
    ).toBe(0);
    return readFileSync(out);
  };

  it('are used again by an export, which writes the same bytes as without them, also after a change', async () => {
    const first = await exported(true);
    const [pack = ''] = packs();
    const before = inode(pack);
    // A pack is replaced if any page of it was compiled again.
    expect((await exported(true)).equals(first)).toBe(true);
    expect(inode(pack)).toBe(before);
    write('site/other.mdx', 'Another text.\n');
    const changed = await exported(true);
    expect(changed.equals(first)).toBe(false);
    expect(inode(pack)).not.toBe(before);
    expect((await exported(false, 'b.tar.gz')).equals(changed)).toBe(true);
    expect(packs()).toEqual([pack]);
  });

  it('survive two exports at once', async () => {
    const [first, second] = await Promise.all([exported(true), exported(true, 'b.tar.gz')]);
    expect(second.equals(first)).toBe(true);
    expect((await exported(true)).equals(first)).toBe(true);
    expect(packs().filter((path) => path.endsWith('.part'))).toEqual([]);
  });

  it('are used again by a check, with the same findings; nothing is kept with --no-cache', async () => {
    const checked = async (cache: boolean) => {
      const output = collectedOutput();
      expect(await runCheck(site(), { cache }, output)).toBe(1);
      return { ...output.values[0], durationMs: 0 };
    };
    const first = await checked(false);
    expect(existsSync(home)).toBe(false);
    expect(await checked(true)).toEqual(first);
    const [pack = ''] = packs();
    const before = inode(pack);
    expect(await checked(true)).toEqual(first);
    expect(inode(pack)).toBe(before);
    // Pages that were only checked have no highlighted code, so an export has its own.
    await exported(true);
    expect(packs().length).toBe(2);
  });
});
