import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IpRange, parseIpRange } from '@docent/format/access/ip.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  canServeGit,
  type GitServer,
  startGitServer,
  type TestRepository,
} from '../../../../../test/support/git-server.ts';
import { filesInArchive } from '../../../../../test/support/tar-files.ts';
import type { GitExtras, GitRemote, GitRepositories } from '../../ports/git/git-repositories.ts';
import { submoduleRemote } from './complete-tree.ts';
import { openSystemGit } from './system-git.ts';

const allowedRanges = ['127.0.0.1/32', '::1/128'].map((text) => parseIpRange(text) as IpRange);
const MB = 1024 * 1024;
const NOTHING: GitExtras = { submodules: false, submoduleHosts: [], lfs: false };

describe.skipIf(!canServeGit)('What a repository refers to', () => {
  let server: GitServer;
  let folder: string;
  let git: GitRepositories;
  let count = 0;

  beforeAll(async () => {
    server = await startGitServer();
    folder = mkdtempSync(join(tmpdir(), 'docent-extras-'));
    const budget = { maxBytes: 5 * MB, seconds: 60, cacheBytes: 50 * MB };
    git = await openSystemGit({ folder, allowedRanges, ...budget });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    server.intercept = undefined;
    server.password = undefined;
  });

  const repository = () => server.createRepository(`extras-${++count}`);
  const read = (docs: TestRepository, extras: Partial<GitExtras>, more: Partial<GitRemote> = {}) =>
    git.withSource(
      {
        id: `x${count}`,
        url: docs.url,
        credentials: { kind: 'none' },
        extras: { ...NOTHING, ...extras },
        ...more,
      },
      { ref: 'refs/heads/main', folder: 'docs' },
      async ({ archive }) => filesInArchive(archive),
    );
  const failure = (...args: Parameters<typeof read>) =>
    read(...args).then(
      () => undefined,
      (error: unknown) => error,
    );

  /** Adds a submodule at docs/shared, as `git submodule add` does. */
  function addSubmodule(docs: TestRepository, url: string, sha: string): void {
    const modules = `[submodule "shared"]\n\tpath = docs/shared\n\turl = ${url}\n`;
    docs.push({ '.gitmodules': modules, 'docs/docs.json': '{}' });
    docs.git('update-index', '--add', '--cacheinfo', `160000,${sha},docs/shared`);
    docs.git('commit', '-q', '-m', 'Add the submodule');
    docs.git('push', '-q', '-f', 'origin', 'HEAD');
  }

  it('is not fetched unless the source asks for it', async () => {
    const shared = repository();
    const docs = repository();
    addSubmodule(docs, shared.url, shared.push({ 'note.mdx': 'Shared' }));
    server.requests.length = 0;
    expect(Object.keys(await read(docs, {}))).toEqual(['docs.json', '.docent-git.json']);
    expect(server.requests.join()).not.toContain(shared.url.split('/').at(-1));
  });

  it('includes the files of submodules at the commit that the repository names, also by a relative address', async () => {
    const shared = repository();
    const sha = shared.push({ 'note.mdx': 'Shared', 'deep/a.mdx': 'A' });
    shared.push({ 'note.mdx': 'Newer' });
    const docs = repository();
    addSubmodule(docs, `../${shared.url.split('/').at(-1)}`, sha);
    const files = await read(docs, { submodules: true });
    expect(files).toMatchObject({
      'docs.json': '{}',
      'shared/note.mdx': 'Shared',
      'shared/deep/a.mdx': 'A',
    });
    const facts = JSON.parse(files['.docent-git.json'] ?? '');
    expect(facts.submodules).toEqual({ shared: shared.url });
    expect(Object.keys(facts.changed)).not.toContain('shared/note.mdx');
    expect(await read(docs, { submodules: true })).toEqual(files);
    await git.forget(`x${count}`);
    expect(readdirSync(folder).filter((name) => name.startsWith(`x${count}`))).toEqual([]);
  });

  it('includes no submodule at another host, at a private address or by another protocol', async () => {
    const docs = repository();
    const sha = docs.push({ 'docs/a.mdx': 'A' });
    const cases: [string, Partial<GitExtras>, string][] = [
      ['https://elsewhere.example/a.git', {}, 'is at elsewhere.example, another host'],
      ['https://169.254.169.254/a', { submoduleHosts: ['169.254.169.254'] }, 'private or reserved'],
      ['ext::sh -c touch% /tmp/x', {}, 'must begin with https:// or ssh://'],
      ['file:///etc', {}, 'must begin with https:// or ssh://'],
      ['--upload-pack=x', {}, 'must begin with https:// or ssh://'],
    ];
    for (const [url, extras, reason] of cases) {
      addSubmodule(docs, url, sha);
      expect(await failure(docs, { submodules: true, ...extras })).toMatchObject({
        code: 'git_refused',
        message: expect.stringContaining(reason),
      });
    }
    docs.push({ '.gitmodules': '' });
    docs.git('update-index', '--add', '--cacheinfo', `160000,${sha},docs/shared`);
    docs.git('commit', '-q', '-m', 'No address');
    docs.git('push', '-q', '-f', 'origin', 'HEAD');
    expect(await failure(docs, { submodules: true })).toMatchObject({
      message: expect.stringContaining('docs/shared has no address in .gitmodules'),
    });
  });

  it('is read with the credentials of the repository on its own server alone', () => {
    const token = { kind: 'token', username: 'x', token: 't' } as const;
    const url = 'https://git.acme.example/acme/docs.git';
    const remote: GitRemote = { id: 'a', url, credentials: token };
    const hosts = { submoduleHosts: ['github.com'] };
    const at = (written: string) => {
      const { url: address, credentials } = submoduleRemote(remote, hosts, 'a', written);
      return [address, credentials.kind];
    };
    expect(at('../lib.git')).toEqual(['https://git.acme.example/acme/lib.git', 'token']);
    expect(at('git@git.acme.example:acme/lib.git')).toEqual([
      'https://git.acme.example/acme/lib.git',
      'token',
    ]);
    expect(at('https://github.com/acme/lib')).toEqual(['https://github.com/acme/lib', 'none']);
    expect(at('git@github.com:acme/lib')).toEqual(['https://github.com/acme/lib', 'none']);
    expect(at('https://git.acme.example:8443/lib')).toEqual([
      'https://git.acme.example:8443/lib',
      'none',
    ]);
  });

  const content = 'x'.repeat(3000);
  const oidOf = (text: string) => createHash('sha256').update(text).digest('hex');
  const pointer = (oid: string, size: number) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;

  /** Answers as a server of Git LFS does, with `download` for the batch and `body` for the file. */
  function serveLfs(href: (oid: string) => string | undefined, body: string): string[] {
    const seen: string[] = [];
    server.intercept = (request: IncomingMessage, response: ServerResponse) => {
      const { url = '' } = request;
      if (url.startsWith('/store/')) {
        seen.push(`file ${request.headers.authorization ?? 'without'}`);
        response.end(body);
        return true;
      }
      if (!url.endsWith('/info/lfs/objects/batch')) return false;
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        seen.push(`batch ${request.headers.authorization ?? 'without'}`);
        const objects = JSON.parse(text).objects.map(
          ({ oid, size }: { oid: string; size: number }) => {
            const address = href(oid);
            return { oid, size, ...(address && { actions: { download: { href: address } } }) };
          },
        );
        response.end(JSON.stringify({ transfer: 'basic', objects }));
      });
      return true;
    };
    return seen;
  }

  it('includes the content of files in Git LFS, fetched once', async () => {
    const docs = repository();
    const oid = oidOf(content);
    docs.push({ 'docs/docs.json': '{}', 'docs/big.png': pointer(oid, content.length) });
    server.password = 's3cret';
    const credentials = { kind: 'token', username: 'x', token: 's3cret' } as const;
    const basic = `Basic ${Buffer.from('x:s3cret').toString('base64')}`;
    const seen = serveLfs((name) => `${server.origin}/store/${name}`, content);
    expect((await read(docs, {}, { credentials }))['big.png']).toContain('oid sha256');
    expect((await read(docs, { lfs: true }, { credentials }))['big.png']).toBe(content);
    expect(seen).toEqual([`batch ${basic}`, `file ${basic}`]);
    docs.push({ 'docs/a.mdx': 'A' });
    expect(await read(docs, { lfs: true }, { credentials })).toMatchObject({
      'big.png': content,
      'a.mdx': 'A',
    });
    expect(seen).toHaveLength(2);
  });

  it('names files in Git LFS that are missing, too large, changed or at a private address', async () => {
    const docs = repository();
    const oid = oidOf(content);
    const at = (name: string) => `${server.origin}/store/${name}`;
    const cases: [string, (name: string) => string | undefined, string, number, string][] = [
      ['git_refused', () => undefined, content, content.length, 'git lfs push --all'],
      ['git_refused', () => 'https://169.254.169.254/a', content, content.length, 'private'],
      ['git_refused', () => 'http://localhost/a', content, content.length, 'not an https'],
      ['git_unavailable', at, `${content}y`, content.length, 'longer than'],
      ['git_unavailable', at, content.replace('x', 'y'), content.length, 'is not what'],
      ['git_refused', at, content, 6 * MB, 'DOCENT_GIT_MAX_MB'],
    ];
    for (const [code, href, body, size, reason] of cases) {
      docs.push({ 'docs/docs.json': '{}', 'docs/big.png': pointer(oid, size) });
      serveLfs(href, body);
      expect(await failure(docs, { lfs: true })).toMatchObject({
        code,
        message: expect.stringContaining(reason),
      });
    }
  });
});
