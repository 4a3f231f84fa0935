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
import type { FetchOutside } from '@docent/compiler/outside/outside.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { collectedOutput } from '../../../../test/support/collected-output.ts';
import { type ExportCommandOptions, runBuild, runExport, type WithOutside } from './build.ts';
import { runSigningKey, runVerify } from './verify.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-finished-'));
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'home'));
  mkdirSync(join(folder, 'site'));
  const navigation = { pages: ['index', 'other'] };
  write('docs.json', JSON.stringify({ name: 'S', colors: { primary: '#123456' }, navigation }));
  write('index.mdx', '```js\nconst a = 1;\n```\n\n[gone](/gone)\n');
  write('other.mdx', 'Text.\n');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function write(file: string, text: string): void {
  writeFileSync(join(folder, 'site', file), text);
}

/** What a command said, without how long it took. */
const linesOf = ({ printed, notes }: ReturnType<typeof collectedOutput>) =>
  [...notes, ...printed].map((text) => text.replace(/; [\d.]+ s$/m, ''));

const options = (changes: Partial<ExportCommandOptions> = {}): ExportCommandOptions => ({
  ...{ out: join(folder, 'a.tar.gz'), origin: 'https://a.test', omittedLinks: 'live' },
  ...{ basePath: '', ...changes },
});

async function exported(changes?: Partial<ExportCommandOptions>, withOutside?: WithOutside) {
  const [command, output] = [options(changes), collectedOutput()];
  const code = await runExport(join(folder, 'site'), command, output, withOutside);
  const archive = existsSync(command.out) ? readFileSync(command.out) : undefined;
  return { code, archive, lines: linesOf(output) };
}

const keptFiles = (ending = '.bundle') => {
  const place = join(folder, 'home/docent/bundles');
  const names = existsSync(place) ? readdirSync(place) : [];
  return names.filter((name) => name.endsWith(ending)).map((name) => join(place, name));
};
/** Another one after each build. */
const kept = () => keptFiles().map((path) => statSync(path).ino);

it('an export of the same inputs writes the finished archive again, and prints the same', async () => {
  const first = await exported();
  const before = kept();
  expect(before.length).toBe(1);
  expect(await exported()).toEqual(first);
  expect(kept()).toEqual(before);
  expect((await exported({ cache: false })).archive).toEqual(first.archive);
});

it('an export of a changed page is built, as without the cache', async () => {
  const first = await exported();
  const before = kept();
  write('other.mdx', 'Another text.\n');
  const changed = await exported();
  expect(changed.archive).not.toEqual(first.archive);
  expect(kept()).not.toEqual(before);
  expect(await exported()).toEqual(changed);
  expect((await exported({ cache: false })).archive).toEqual(changed.archive);
});

it('the archive of each form and set of options is kept, and two commands may run at once', async () => {
  const base = () => exported({ out: join(folder, 'b.tar.gz'), basePath: '/docs' });
  const zst = () => exported({ out: join(folder, 'c.tar.zst') });
  const first = await Promise.all([exported(), base(), zst()]);
  const before = kept();
  expect(before.length).toBe(3);
  expect(await Promise.all([exported(), base(), zst()])).toEqual(first);
  expect(kept()).toEqual(before);
  const same = [exported(), exported({ out: join(folder, 'd.tar.gz') })];
  const [left, right] = await Promise.all(same);
  expect(right?.archive).toEqual(left?.archive);
  expect(keptFiles('.part')).toEqual([]);
});

it('a folder is written again with all of its files', async () => {
  const built = async (out: string) => {
    const output = collectedOutput();
    expect(await runBuild(join(folder, 'site'), options({ out: join(folder, out) }), output)).toBe(
      0,
    );
    const names = readdirSync(join(folder, out), { recursive: true, encoding: 'utf8' }).sort();
    const files = names.filter((name) => statSync(join(folder, out, name)).isFile());
    return files.map((name) => [name, readFileSync(join(folder, out, name), 'latin1')]);
  };
  const first = await built('one');
  const before = kept();
  expect(await built('two')).toEqual(first);
  expect(kept()).toEqual(before);
});

it('a signature is made for the archive that is written', async () => {
  await runSigningKey(join(folder, 'key'), collectedOutput());
  await exported();
  const before = kept();
  await exported({ signingKey: join(folder, 'key') });
  expect(kept()).toEqual(before);
  const verified = await runVerify(
    join(folder, 'a.tar.gz'),
    { key: join(folder, 'key.pub') },
    collectedOutput(),
  );
  expect(verified ?? 0).toBe(0);
});

it('a strict export refuses what the finished one only warns about', async () => {
  write('index.mdx', '[gone](/gone)\n');
  await exported({ rule: { 'broken-link': 'warning' } });
  const before = kept();
  const out = join(folder, 'strict.tar.gz');
  const refused = await exported({ out, strict: true, rule: { 'broken-link': 'warning' } });
  expect([refused.code, refused.archive]).toEqual([1, undefined]);
  expect(refused.lines.at(-1)).toContain('Nothing was written');
  expect(kept()).toEqual(before);
});

it('a damaged finished bundle is built again', async () => {
  const first = await exported();
  const [path = ''] = keptFiles();
  const bytes = readFileSync(path);
  bytes.writeUInt8((bytes.readUInt8(1000) + 1) % 256, 1000);
  writeFileSync(path, bytes);
  rmSync(join(folder, 'a.tar.gz'));
  expect(await exported()).toEqual(first);
  for (const part of [bytes.subarray(0, 500), Buffer.alloc(3), Buffer.alloc(100, 255)]) {
    writeFileSync(path, part);
    expect(await exported()).toEqual(first);
  }
});

it('a site that fetches is built again only if it is answered otherwise', async () => {
  write('other.mdx', '![A](https://cdn.test/a.svg)\n');
  let picture = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
  let requests = 0;
  const fetchOutside: FetchOutside = async () => {
    requests++;
    return { bytes: Buffer.from(picture), type: 'image/svg+xml' };
  };
  const online: WithOutside = (run) => run(fetchOutside);
  const first = await exported({}, online);
  const [before, firstRequests] = [kept(), requests];
  expect(firstRequests).toBeGreaterThan(0);
  expect(await exported({}, online)).toEqual(first);
  expect(kept()).toEqual(before);
  expect(requests).toBe(firstRequests * 2);
  picture = picture.replace('width="1"', 'width="2"');
  const changed = await exported({}, online);
  expect(changed.archive).not.toEqual(first.archive);
  expect(kept()).not.toEqual(before);
});

it('nothing is kept of a build that may give something else the next time, or may not be kept', async () => {
  await exported({ cache: false });
  expect(kept()).toEqual([]);
  const checks = { 'slow-code': 'off' };
  write('docs.json', JSON.stringify({ name: 'S', navigation: { pages: ['index'] }, checks }));
  await exported();
  expect(kept()).toEqual([]);
});
