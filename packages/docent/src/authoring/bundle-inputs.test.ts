import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programVersion } from '@docent/compiler/process/program-version.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BuildCommandOptions, readBundleInputs } from './bundle-inputs.ts';

const OPTIONS: BuildCommandOptions = {
  out: 'a.tar.gz',
  origin: 'https://a.test',
  omittedLinks: 'live',
  basePath: '',
  fetch: false,
};

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-inputs-'));
  mkdirSync(join(root, 'snippets'));
  write('docs.json', '{"name":"S","navigation":{"pages":["index","linked"]}}');
  write('index.mdx', 'Hello.\n');
  write('snippets/note.mdx', 'A note.\n');
  write('logo.svg', '<svg/>');
  write('openapi.json', '{"openapi":"3.1.0"}');
  write('.mintignore', 'drafts/\n');
  write('a.txt', 'same');
  write('b.txt', 'same');
  symlinkSync('a.txt', join(root, 'linked.txt'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  rmSync(root, { recursive: true });
});

function write(file: string, text: string): void {
  writeFileSync(join(root, file), text);
}

const inputs = (changes: object = {}, env: NodeJS.ProcessEnv = {}, form = 'tar.gz' as const) =>
  readBundleInputs(root, form, { ...OPTIONS, ...changes }, env);
const keyOf = async (...args: Parameters<typeof inputs>) => (await inputs(...args)).key;

function git(...args: string[]): void {
  const user = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
  execFileSync('git', ['-C', root, ...user, ...args], { stdio: 'ignore' });
}

describe('a bundle is made again if', () => {
  it.each<[string, () => void]>([
    ['a page changes', () => write('index.mdx', 'Hallo.\n')],
    ['a snippet changes', () => write('snippets/note.mdx', 'A nota.\n')],
    ['an image changes', () => write('logo.svg', '<svg> </svg>')],
    ['the settings change', () => write('docs.json', '{"name":"T","navigation":{"pages":[]}}')],
    ['an API description changes', () => write('openapi.json', '{"openapi":"3.0.0"}')],
    ['the ignored files change', () => write('.mintignore', '')],
    ['a file is added', () => write('new.mdx', '')],
    ['a file is deleted', () => unlinkSync(join(root, 'b.txt'))],
    ['a file is renamed', () => execFileSync('mv', [join(root, 'b.txt'), join(root, 'c.txt')])],
    ['the target of a link changes', () => write('a.txt', 'else')],
    [
      'a link leads to another file of the same content',
      () => {
        unlinkSync(join(root, 'linked.txt'));
        symlinkSync('b.txt', join(root, 'linked.txt'));
      },
    ],
    ['the date of the content changes', () => vi.stubEnv('SOURCE_DATE_EPOCH', '1700000000')],
  ])('%s', async (_, change) => {
    const before = await keyOf();
    expect(await keyOf()).toBe(before);
    change();
    expect(await keyOf()).not.toBe(before);
  });

  it.each<[string, object, NodeJS.ProcessEnv]>([
    ['the origin', { origin: 'https://b.test' }, {}],
    ['the base path', { basePath: '/docs' }, {}],
    ['the audience', { audience: 'all' }, {}],
    ['the chosen pages', { page: ['index'] }, {}],
    ['a rule', { rule: { 'broken-link': 'off' } }, {}],
    ['the address of the assistant', { assistantUrl: 'https://a.test/ask' }, {}],
    ['the permission to fetch', { fetch: true }, {}],
    ['a setting of fetching', {}, { DOCENT_FETCH_REMOTE: 'off' }],
    ['the private addresses', {}, { DOCENT_ALLOWED_PRIVATE_RANGES: '10.0.0.0/8' }],
  ])('the command has another value: %s', async (_, options, env) => {
    expect(await keyOf(options, env)).not.toBe(await keyOf());
  });

  it('a commit changes the date of a file, not its content', async () => {
    git('init');
    git('add', '.');
    git('commit', '-m', 'a', '--date=2026-01-01T00:00:00Z');
    const before = await keyOf();
    git('commit', '--amend', '--allow-empty', '-m', 'a', '--date=2025-01-01T00:00:00Z');
    git('remote', 'add', 'origin', 'https://github.com/acme/docs.git');
    expect(await keyOf()).not.toBe(before);
  });

  it('another source is added, or changes', async () => {
    const part = join(root, '../', `${root.split('/').at(-1)}-part`);
    mkdirSync(part);
    writeFileSync(join(part, 'docs.json'), '{"name":"P","navigation":{"pages":["a"]}}');
    const source = { source: { api: part } };
    const alone = await keyOf();
    const before = await keyOf(source);
    writeFileSync(join(part, 'a.mdx'), 'Text.\n');
    const after = await keyOf(source);
    rmSync(part, { recursive: true });
    expect(new Set([alone, before, after]).size).toBe(3);
  });

  it('the day changes, where nothing else tells the age of the content', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T12:00:00Z') });
    const [today, dated] = [await inputs(), await datedKey()];
    vi.setSystemTime(new Date('2026-01-02T12:00:00Z'));
    expect(today.areSame()).toBe(false);
    expect(await keyOf()).not.toBe(today.key);
    expect(await datedKey()).toBe(dated);
  });

  it.each(['dist/program', 'packages/compiler/src'])('the code in %s is another', (place) => {
    const main = join(root, place, 'main.js');
    mkdirSync(join(root, place), { recursive: true });
    writeFileSync(main, '1');
    const before = programVersion(main, `${root}/`);
    expect(programVersion(main, `${root}/`)).toBe(before);
    writeFileSync(main, '2');
    expect(programVersion(main, `${root}/`)).not.toBe(before);
  });

  it('the files of the theme are others', () => {
    mkdirSync(join(root, 'dist/theme'), { recursive: true });
    write('dist/theme/manifest.json', '{}');
    const before = programVersion('', `${root}/`);
    write('dist/theme/manifest.json', '{"site.css":{}}');
    expect(programVersion('', `${root}/`)).not.toBe(before);
  });
});

async function datedKey(): Promise<string | undefined> {
  vi.stubEnv('SOURCE_DATE_EPOCH', '1700000000');
  const key = await keyOf();
  vi.unstubAllEnvs();
  return key;
}

it('where the bundle is written, how it is signed and what is printed does not matter', async () => {
  const before = await keyOf();
  expect(await keyOf({ out: 'b.tar.gz', strict: true, json: true, signingKey: 'key' })).toBe(
    before,
  );
  utimesSync(join(root, 'index.mdx'), 1, 1);
  expect(await keyOf()).toBe(before);
});

it('a file that is written during the build is noticed, even with the same content', async () => {
  const { areSame } = await inputs();
  expect(areSame()).toBe(true);
  write('index.mdx', 'Hello.\n');
  expect(areSame()).toBe(false);
  const again = await inputs();
  write('new.mdx', '');
  expect(again.areSame()).toBe(false);
});

it('without the cache there is nothing to compare', async () => {
  const { key, areSame } = await inputs({ cache: false });
  expect(key).toBeUndefined();
  expect(areSame()).toBe(false);
});
