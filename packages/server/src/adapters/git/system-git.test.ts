import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { deflateSync } from 'node:zlib';
import { type IpRange, parseIpRange } from '@docent/format/access/ip.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  canServeGit,
  type GitServer,
  startGitServer,
  type TestRepository,
} from '../../../../../test/support/git-server.ts';
import { canServeSsh, startSshServer } from '../../../../../test/support/ssh-server.ts';
import { filesInArchive } from '../../../../../test/support/tar-files.ts';
import type { GitRemote, GitRepositories, GitSource } from '../../ports/git/git-repositories.ts';
import { openSystemGit } from './system-git.ts';

const allowedRanges = ['127.0.0.1/32', '::1/128'].map((text) => parseIpRange(text) as IpRange);
const MB = 1024 * 1024;

let server: GitServer;
let folder: string;
let git: GitRepositories;
let count = 0;

const open = (more: object = {}) =>
  openSystemGit({
    folder,
    allowedRanges,
    maxBytes: 50 * MB,
    seconds: 60,
    cacheBytes: 200 * MB,
    ...more,
  });

describe.skipIf(!canServeGit)('Git over https', () => {
  beforeAll(async () => {
    server = await startGitServer();
    folder = mkdtempSync(join(tmpdir(), 'docent-copies-'));
    git = await open();
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    server.intercept = undefined;
    server.password = undefined;
  });

  const repository = () => server.createRepository(`docs-${++count}`);
  const remoteOf = (of: TestRepository, more: Partial<GitRemote> = {}): GitRemote => ({
    id: `r${count}`,
    url: of.url,
    credentials: { kind: 'none' },
    ...more,
  });
  const read = (remote: GitRemote, at = '', ref = 'refs/heads/main', from = git) =>
    from.withSource(remote, { ref, folder: at }, async ({ archive, ...source }: GitSource) => ({
      ...source,
      files: await filesInArchive(archive),
    }));

  it('reads a folder with its commit, and the day of the last change of each file', async () => {
    const docs = repository();
    docs.push({ 'docs/docs.json': '{}', 'docs/a.mdx': 'A', 'src/x.ts': 'x' }, 'First');
    const sha = docs.push(
      { 'docs/a.mdx': 'B', 'docs/b.mdx': 'b', 'src/x.ts': 'y' },
      'Second\n\nMore.',
    );
    const source = await read(remoteOf(docs, { provider: 'gitlab' }), 'docs');
    expect(Object.keys(source.files).sort()).toEqual([
      '.docent-git.json',
      'a.mdx',
      'b.mdx',
      'docs.json',
    ]);
    expect(source.files['a.mdx']).toBe('B');
    expect(source.commit).toMatchObject({
      sha,
      ref: 'main',
      message: 'Second',
      author: 'Ada Example',
    });
    expect(source.commit).toMatchObject({ added: ['b.mdx'], modified: ['a.mdx'], removed: [] });
    const facts = JSON.parse(source.files['.docent-git.json'] as string);
    expect(facts).toMatchObject({ folder: 'docs', branch: 'main', forge: 'gitlab' });
    expect(Object.keys(facts.changed).sort()).toEqual(['a.mdx', 'b.mdx', 'docs.json']);
  });

  it('fetches neither what is outside the folder nor what it already has', async () => {
    const docs = repository();
    docs.push({ 'docs/docs.json': '{}', 'video.bin': 'x'.repeat(3 * MB) + Math.random() });
    for (let n = 0; n < 3; n++) docs.push({ 'docs/a.mdx': `version ${n}` });
    const remote = remoteOf(docs);
    await read(remote, 'docs');
    const sizeOf = () =>
      readdirSync(join(folder, `${remote.id}.git/objects/pack`)).filter((name) =>
        name.endsWith('.pack'),
      ).length;
    const before = sizeOf();
    server.requests.length = 0;
    await read(remote, 'docs');
    expect(sizeOf()).toBe(before);
    expect(server.requests.filter((line) => line.startsWith('POST')).length).toBeLessThanOrEqual(2);
    const { tree } = await git.inspect(remote, { ref: 'refs/heads/main', folder: 'docs' });
    docs.push({ 'video.bin': 'other' });
    const after = await git.inspect(remote, { ref: 'refs/heads/main', folder: 'docs' });
    expect(after.tree).toBe(tree);
  });

  it('asks what refs name in one request, and by Git where the server speaks no version 2', async () => {
    const docs = repository();
    const sha = docs.push({ 'docs.json': '{}' });
    docs.git('push', '-q', 'origin', 'HEAD:main-2', 'HEAD:refs/pull/7/head', 'HEAD:refs/pull/7/x');
    const patterns = ['refs/heads/main', 'refs/pull/*/head'];
    const expected = new Map([
      ['refs/heads/main', sha],
      ['refs/pull/7/head', sha],
    ]);
    server.requests.length = 0;
    expect(await git.list(remoteOf(docs), patterns)).toEqual(expected);
    expect(server.requests).toEqual([expect.stringMatching(/^POST .*\/git-upload-pack$/)]);
    expect(await git.list(remoteOf(docs), ['refs/heads/none'])).toEqual(new Map());
    const answers = ['0000', 'fff0', '000dERR old', `003d${sha} refs/heads/main\n`, ''];
    for (const body of answers) {
      let isFirst = true;
      server.intercept = (_, response) => {
        if (!isFirst) return false;
        isFirst = false;
        const type = body === '0000' ? 'text/html' : 'application/x-git-upload-pack-result';
        response.writeHead(200, { 'content-type': type }).end(body);
        return true;
      };
      expect(await git.list(remoteOf(docs), patterns), body).toEqual(expected);
    }
  });

  it('reads no list of refs that has no end', async () => {
    const docs = repository();
    docs.push({ 'docs.json': '{}' });
    const name = `refs/heads/${'x'.repeat(60_000)}`;
    const line = (ref: number) => {
      const text = `${'a'.repeat(40)} ${name}${ref}\n`;
      return `${(text.length + 4).toString(16)}${text}`;
    };
    server.intercept = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      const lines = function* () {
        for (let ref = 0; ref < 100_000; ref++) yield line(ref);
      };
      pipeline(Readable.from(lines()), response).catch(() => {});
      return true;
    };
    await expect(git.list(remoteOf(docs), ['refs/heads/*'])).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringMatching(/more than \d+ branches/),
    });
  });

  it('does not ask for what a look has just fetched, unless the copy is gone', async () => {
    const docs = repository();
    docs.push({ 'docs.json': '{}' });
    const remote = remoteOf(docs);
    const ref = 'refs/heads/main';
    const { sha } = await git.inspect(remote, { ref, folder: '' });
    docs.push({ 'docs.json': '{"later":1}' });
    const readAgain = (seen: string) =>
      git.withSource(remote, { ref, folder: '', sha: seen }, async ({ revision }) => revision.sha);
    expect(await readAgain(sha)).toBe(sha);
    const later = await readAgain('f'.repeat(40));
    expect(later).not.toBe(sha);
    await git.forget(remote.id);
    expect(await readAgain(sha)).toBe(later);
  });

  it('reads only the history since it was read last, with the days that all of it gives', async () => {
    const docs = repository();
    const commit = (day: number, parents: string[], files: Record<string, string>) => {
      for (const [path, text] of Object.entries(files)) writeFileSync(join(docs.work, path), text);
      docs.git('add', '-A');
      const person = `Ada <ada@acme.example> ${Date.UTC(2024, 0, day) / 1000} +0000`;
      const head = [`tree ${docs.git('write-tree')}`, ...parents.map((sha) => `parent ${sha}`)];
      const text = [...head, `author ${person}`, `committer ${person}`, '', 'Change', ''];
      const file = join(docs.bare, 'commit.txt');
      writeFileSync(file, text.join('\n'));
      const sha = docs.git('hash-object', '-t', 'commit', '-w', file);
      docs.git('update-ref', 'refs/heads/main', sha);
      docs.git('push', '-q', '-f', 'origin', 'main');
      return sha;
    };
    const remote = remoteOf(docs);
    const daysIn = async (of: GitRemote) =>
      JSON.parse((await read(of)).files['.docent-git.json'] as string).changed;
    const first = commit(1, [], { 'a.mdx': '1', 'b.mdx': '1', 'c.mdx': '1' });
    const second = commit(5, [first], { 'a.mdx': '2' });
    expect(await daysIn(remote)).toMatchObject({ 'a.mdx': '2024-01-05', 'b.mdx': '2024-01-01' });
    // A branch from before, merged after.
    const branch = commit(3, [first], { 'a.mdx': '3', 'b.mdx': '3' });
    const merge = commit(9, [second, branch], {});
    const copies = [{ ...remote }, { ...remote, id: `${remote.id}again` }] as const;
    const [more, all] = [await daysIn(copies[0]), await daysIn(copies[1])];
    expect(more).toEqual(all);
    expect(more).toMatchObject({ 'a.mdx': '2024-01-05', 'b.mdx': '2024-01-03' });
    expect(merge).not.toBe(branch);
    // A rewritten history has no part of the former one.
    commit(7, [first], { 'c.mdx': '7' });
    const rewritten = await daysIn(remote);
    expect(rewritten).toEqual(await daysIn(copies[1]));
    expect(rewritten['c.mdx']).toBe('2024-01-07');
  });

  it('sends a token only to its server, and never shows it', async () => {
    const docs = repository();
    docs.push({ 'docs.json': '{}' });
    server.password = 's3cret-token';
    const wrong = { kind: 'token', username: 'x', token: 'wrong-token' } as const;
    const failed = await read(remoteOf(docs, { credentials: wrong })).catch((error) => error);
    expect(failed).toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('refused the credentials'),
    });
    expect(JSON.stringify([failed.message, String(failed.cause?.output)])).not.toContain(
      'wrong-token',
    );
    await expect(read(remoteOf(docs))).rejects.toMatchObject({ code: 'git_refused' });
    const right = remoteOf(docs, {
      credentials: { kind: 'token', username: 'x', token: 's3cret-token' },
    });
    expect((await read(right)).files['docs.json']).toBe('{}');
    expect(readFileSync(join(folder, `${right.id}.git/config`), 'utf8')).not.toContain('s3cret');
  });

  it('names a missing branch, folder and repository with a remedy', async () => {
    const docs = repository();
    docs.push({ 'docs.json': '{}' });
    const refused = (message: string) => ({
      code: 'git_refused',
      message: expect.stringContaining(message),
    });
    await expect(read(remoteOf(docs), '', 'refs/heads/gone')).rejects.toMatchObject(
      refused('no branch gone'),
    );
    await expect(read(remoteOf(docs), 'gone')).rejects.toMatchObject(refused('no folder "gone"'));
    await expect(read(remoteOf(docs), 'docs.json')).rejects.toMatchObject(
      refused('no folder "docs.json"'),
    );
    const none = { ...remoteOf(docs), url: `${server.origin}/none.git` };
    await expect(read(none)).rejects.toMatchObject(refused('no repository at'));
    expect(await git.resolve(remoteOf(docs), 'refs/heads/gone')).toBeUndefined();
    expect(await git.resolve(remoteOf(docs), 'refs/heads/main')).toMatch(/^[0-9a-f]{40}$/);
  });

  it('connects to no private address, by name or by redirect', async () => {
    const docs = repository();
    docs.push({ 'docs.json': '{}' });
    const guarded = await openSystemGit({
      folder: `${folder}-2`,
      allowedRanges: [],
      maxBytes: MB,
      seconds: 5,
      cacheBytes: MB,
    });
    server.requests.length = 0;
    for (const url of [
      docs.url,
      'https://169.254.169.254/docs',
      'https://[::ffff:127.0.0.1]/docs',
      'ssh://git@127.0.0.1/docs',
    ])
      await expect(
        guarded.resolve({ ...remoteOf(docs), url }, 'refs/heads/main'),
        url,
      ).rejects.toMatchObject({
        code: 'git_refused',
      });
    expect(server.requests).toEqual([]);
    server.intercept = (_, response) => {
      response.writeHead(302, { location: 'https://169.254.169.254/latest/meta-data' }).end();
      return true;
    };
    await expect(read(remoteOf(docs))).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('redirects'),
    });
    rmSync(`${folder}-2`, { recursive: true, force: true });
  });

  it('executes nothing in a repository, and takes no name in it for an option', async () => {
    const docs = repository();
    const proof = join(folder, 'executed');
    writeFileSync(join(docs.work, '--exec=touch'), `touch ${proof}`);
    symlinkSync('/etc/passwd', join(docs.work, 'passwd.mdx'));
    docs.push({
      'docs.json': '{}',
      '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch ${proof}"\n`,
      '.gitattributes': '* filter=evil diff=evil export-subst\n',
      '-oProxyCommand=id/a.mdx': 'a',
    });
    const { files } = await read(remoteOf(docs));
    expect(Object.keys(files)).toContain('-oProxyCommand=id/a.mdx');
    expect(files['passwd.mdx']).toBe('-> /etc/passwd');
    expect(readdirSync(folder)).not.toContain('executed');
  });

  it('ends a server that never answers, and one whose repository is too large, and works again afterwards', async () => {
    const docs = repository();
    docs.push({ 'docs.json': '{}', 'noise.bin': noise(4 * MB) });
    const remote = remoteOf(docs);
    const small = await open({ seconds: 3, maxBytes: MB });
    server.intercept = () => true;
    await expect(read(remote, '', 'refs/heads/main', small)).rejects.toMatchObject({
      code: 'git_unavailable',
    });
    server.intercept = undefined;
    const late = await open({ maxBytes: MB });
    await expect(read(remote, '', 'refs/heads/main', late)).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('too large'),
    });
    git = await open();
    expect((await read(remote)).files['docs.json']).toBe('{}');
  });

  it('ends a pack that never ends, also one that promises more objects than there is room for', async () => {
    const docs = repository();
    docs.push({ 'docs.json': '{}' });
    const bounded = await open({ maxBytes: MB });
    for (const [objects, message] of [
      [100_000, 'too large'],
      [0xffffffff, ''],
    ] as const) {
      let posts = 0;
      server.intercept = ({ method }, response) => {
        if (method === 'POST') posts += 1;
        // The first asks for the branch, the second for its commits.
        if (posts < 2) return false;
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
        pipeline(Readable.from(endlessPack(objects)), response).catch(() => {});
        return true;
      };
      await expect(
        read(remoteOf(docs), '', 'refs/heads/main', bounded),
        String(objects),
      ).rejects.toMatchObject({
        code: expect.stringMatching(/^git_(?:refused|unavailable)$/),
        message: expect.stringContaining(message),
      });
      expect(posts).toBe(2);
    }
    server.intercept = undefined;
    git = await open();
    expect((await read(remoteOf(docs))).files['docs.json']).toBe('{}');
  });

  it('counts the files of a folder as they come, though few objects can name more than there is room for', async () => {
    const docs = repository();
    const mktree = (lines: string[]) =>
      spawnSync('git', ['-C', docs.bare, 'mktree'], { input: lines.join('\n') })
        .stdout.toString()
        .trim();
    let tree = mktree([
      `100644 blob ${docs.push({ 'docs.json': '{}' }) && docs.git('rev-parse', 'HEAD:docs.json')}\ta`,
    ]);
    const names = Array.from({ length: 10 }, (_, index) => `n${index}`);
    for (let level = 0; level < 9; level++)
      tree = mktree(names.map((name) => `040000 tree ${tree}\t${name}`));
    const env = {
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@b.c',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@b.c',
    };
    const commit = spawnSync('git', ['-C', docs.bare, 'commit-tree', '-m', 'bomb', tree], {
      env: { ...process.env, ...env },
    });
    spawnSync('git', [
      '-C',
      docs.bare,
      'update-ref',
      'refs/heads/main',
      commit.stdout.toString().trim(),
    ]);
    await expect(read(remoteOf(docs))).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('more than 50000 files'),
    });
  });

  it('makes a copy again that a killed process left behind', async () => {
    const docs = repository();
    docs.push({ 'docs.json': '{}' });
    const remote = remoteOf(docs);
    await read(remote);
    const copy = join(folder, `${remote.id}.git`);
    writeFileSync(join(copy, 'docent-fetching'), '');
    writeFileSync(join(copy, 'packed-refs.lock'), '');
    rmSync(join(copy, 'objects'), { recursive: true });
    docs.push({ 'docs.json': '{"name":"x"}' });
    expect((await read(remote)).files['docs.json']).toBe('{"name":"x"}');
  });
});

/** A pack that has another file whenever somebody reads on, as Git sends it. */
function* endlessPack(objects: number): Generator<Buffer> {
  const line = (content: Buffer) =>
    Buffer.concat([Buffer.from((content.length + 4).toString(16).padStart(4, '0')), content]);
  const part = (data: Buffer) => line(Buffer.concat([Buffer.from([1]), data]));
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  head.writeUInt32BE(objects, 8);
  yield line(Buffer.from('packfile\n'));
  yield part(head);
  for (;;) {
    const content = randomBytes(30_000);
    // A blob, and its size in 4, 7 and 7 bits.
    const size = [0x30 | 0x80 | (content.length & 15), 0x80 | ((content.length >> 4) & 127)];
    yield part(Buffer.concat([Buffer.from([...size, content.length >> 11]), deflateSync(content)]));
  }
}

describe.skipIf(!canServeSsh || !canServeGit)('Git over ssh', () => {
  it('reads with a key of its own, keeps the key of the host, and refuses another one', async () => {
    const web = await startGitServer();
    const ssh = await startSshServer();
    const copies = mkdtempSync(join(tmpdir(), 'docent-ssh-copies-'));
    try {
      const docs = web.createRepository('docs');
      docs.push({ 'docs.json': '{}' });
      const keys = await openSystemGit({
        folder: copies,
        allowedRanges,
        maxBytes: 50 * MB,
        seconds: 60,
        cacheBytes: 200 * MB,
      });
      const { privateKey, publicKey } = await keys.createKey('docent');
      expect(publicKey).toMatch(/^ssh-ed25519 \S+ docent$/);
      const remote = (knownHosts: string | null): GitRemote => {
        const credentials = { kind: 'ssh', privateKey, knownHosts } as const;
        return { id: 's1', url: ssh.addressOf(docs.bare), credentials };
      };
      const fetch = { ref: 'refs/heads/main', folder: '' };
      await expect(keys.inspect(remote(null), fetch)).rejects.toMatchObject({
        code: 'git_refused',
      });
      ssh.allow(publicKey);
      const { knownHosts } = await keys.inspect(remote(null), fetch);
      expect(knownHosts).toContain('ssh-ed25519');
      const files = await keys.withSource(remote(knownHosts), fetch, ({ archive }) =>
        filesInArchive(archive),
      );
      expect(files['docs.json']).toBe('{}');
      await ssh.changeHostKey();
      const changed = keys.inspect(remote(knownHosts), fetch);
      await expect(changed).rejects.toMatchObject({
        code: 'git_refused',
        message: expect.stringContaining('another key'),
      });
      expect(readdirSync(join(copies, 'runs'))).toEqual([]);
    } finally {
      await ssh.close();
      await web.close();
      rmSync(copies, { recursive: true, force: true });
    }
  });
});

function noise(bytes: number): string {
  let text = '';
  while (text.length < bytes) text += Math.random().toString(36).slice(2);
  return text;
}
