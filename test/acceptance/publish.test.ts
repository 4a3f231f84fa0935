import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { selfSigned } from '../support/certificate.ts';
import { standInHost } from '../support/git-host.ts';
import { call, fetchSite, fixtureSite, publishArchive, tarball } from '../support/http.ts';
import { type RawEntry, rawTarGz } from '../support/raw-tar.ts';
import {
  cleanEnvironment,
  main,
  type RunningDocent,
  removeTemporaryFolders,
  root,
  runDocent,
  sharedDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

const archiveOf = (entry: RawEntry) => Buffer.from(rawTarGz([entry]));

/** The API of a Gitea server over https, and the variables of a job in which it builds a pull request. */
async function startCi() {
  const folder = await temporaryFolder();
  const { key, cert } = selfSigned(folder);
  const api = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) });
  await once(api.listen(0, 'localhost'), 'listening');
  const origin = `https://localhost:${(api.address() as AddressInfo).port}`;
  const host = standInHost('gitea', { origin, authorization: 'token of-the-job' });
  api.on('request', async (request, response) => {
    const { status, body } = await host.call({
      method: request.method ?? '',
      url: `${origin}${request.url}`,
      headers: Object.entries(request.headers as Record<string, string>),
      body: request.method === 'GET' ? undefined : await buffer(request),
      timeoutMs: 1000,
      signal: new AbortController().signal,
    });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(await buffer(body));
  });
  return {
    host,
    close: () => void api.close(),
    async pullRequest(action: string, sha: string): Promise<Record<string, string>> {
      const event = join(folder, 'event.json');
      const repo = { full_name: 'acme/docs' };
      const pull = {
        number: 12,
        title: 'Better',
        head: { sha, ref: 'better', repo },
        base: { repo },
      };
      await writeFile(event, JSON.stringify({ action, pull_request: pull }));
      return {
        GITHUB_ACTIONS: 'true',
        GITEA_ACTIONS: 'true',
        GITHUB_SERVER_URL: origin,
        GITHUB_REPOSITORY: 'acme/docs',
        GITHUB_RUN_ID: '7',
        GITHUB_TOKEN: 'of-the-job',
        GITHUB_EVENT_PATH: event,
        NODE_EXTRA_CA_CERTS: cert,
      };
    },
  };
}

/** Runs the script of the action as a runner does, where `docent` is this repository's. */
async function runPublishAction(
  docent: RunningDocent,
  inputs: Record<string, string>,
  env: Record<string, string>,
): Promise<{ code: number | null; stderr: string }> {
  const action = parse(await readFile(join(root, 'deploy/publish-action/action.yml'), 'utf8'));
  const [step] = action.runs.steps as { env: Record<string, string>; run: string }[];
  const given: Record<string, string | undefined> = {
    url: docent.apiUrl,
    'api-key': docent.adminKey,
    token: env.GITHUB_TOKEN,
    ...inputs,
  };
  const variables = Object.entries(step?.env ?? {}).map(([name, text]) => {
    const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(text)?.[1] ?? '';
    expect(action.inputs).toHaveProperty([input]);
    return [name, given[input] ?? action.inputs[input].default ?? ''];
  });
  const bin = await temporaryFolder();
  await writeFile(join(bin, 'docent'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, {
    mode: 0o755,
  });
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', step?.run ?? ''], {
    env: {
      ...cleanEnvironment(),
      ...env,
      ...Object.fromEntries(variables),
      PATH: `${bin}:${process.env.PATH}`,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stderr = await text(child.stderr);
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, stderr };
}

describe('publishing', () => {
  let docent: RunningDocent;
  beforeAll(async () => {
    docent = await sharedDocent();
  });
  afterAll(removeTemporaryFolders);

  const send = (archive: Uint8Array<ArrayBuffer>, slug = 'docent', type = 'application/gzip') =>
    fetch(`${docent.apiUrl}/v1/project/${slug}/source`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${docent.adminKey}`, 'content-type': type },
      body: archive,
    });
  const page = async (path: string) => {
    const [slug = '', ...rest] = path.split('/');
    return (await fetchSite(docent, slug, `/${rest.join('/')}`)).text();
  };

  test('in a CI job, publishes a pull request as its preview, comments once, sets the status by rule, and ends the preview when it is closed', async () => {
    const ci = await startCi();
    onTestFinished(() => ci.close());
    const folder = await temporaryFolder();
    const publish = (env: Record<string, string>) =>
      runPublishAction(docent, { site: 'ci-pulls', folder, 'fail-on': 'links' }, env);
    const previews = async () => {
      const list = await call(docent, docent.adminKey, 'GET', '/v1/projects/ci-pulls/previews');
      return ((await list.json()) as { items: { name: string }[] }).items.map(({ name }) => name);
    };
    await writeFile(join(folder, 'index.md'), '# Acme\n\nWelcome.\n');
    expect(await publish({})).toMatchObject({ code: 0 });
    expect(ci.host.requests).toEqual([]);

    await writeFile(join(folder, 'index.md'), '# Acme\n\nSee [more](/more).\n');
    const broken = await publish(await ci.pullRequest('opened', 'a'.repeat(40)));
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('--fail-on links')]);
    expect(broken.stderr).toMatch(/^::warning file=index\.md,line=3,.*There is no page/m);
    expect(ci.host.statuses.at(-1)).toMatchObject({ sha: 'a'.repeat(40), state: 'failure' });
    expect(ci.host.comments[0]?.text).toContain('There is no page');

    await writeFile(join(folder, 'more.md'), '# More\n\nText.\n');
    const { code, stderr } = await publish(await ci.pullRequest('synchronize', 'b'.repeat(40)));
    expect(code, stderr).toBe(0);
    expect(ci.host.statuses.at(-1)).toMatchObject({ sha: 'b'.repeat(40), state: 'success' });
    expect(ci.host.comments).toHaveLength(1);
    expect(ci.host.comments[0]?.text).toMatch(
      /preview is ready\.[\s\S]+Added pages \(1\)[\s\S]+`\/more`/,
    );
    expect(await previews()).toEqual(['pr-12']);
    expect((await fetchSite(docent, 'ci-pulls', '/')).status).toBe(200);
    expect(await (await fetchSite(docent, 'ci-pulls', '/')).text()).toContain('Welcome.');

    ci.host.down = 403;
    const refused = await publish(await ci.pullRequest('synchronize', 'b'.repeat(40)));
    expect(refused.code).toBe(0);
    expect(refused.stderr).toContain('has no comment or status');
    for (const _ of ['at first', 'and again'])
      expect(await publish(await ci.pullRequest('closed', 'b'.repeat(40)))).toMatchObject({
        code: 0,
      });
    expect(await previews()).toEqual([]);
  });

  test('reports warnings with file, line and remedy', async () => {
    const { report, logs } = await publishArchive(
      docent,
      'reported',
      tarball(fixtureSite('basic')),
    );
    expect(report?.pageCount).toBe(7);
    const unknown = report?.diagnostics.find((one) => one.code === 'unknown-component');
    expect(unknown).toMatchObject({ file: 'guides/components.mdx', line: 24 });
    expect(unknown?.remedy).not.toBe('');
    expect(report?.diagnostics.map((one) => one.code)).toContain('broken-link');
    expect(logs.join('\n')).toContain('guides/components.mdx:24');
  });

  test('uses the only folder at the root of an archive as the site', async () => {
    const folder = await temporaryFolder();
    spawnSync('cp', ['-r', fixtureSite('small'), join(folder, 'acme-docs-main')]);
    expect(await publishArchive(docent, 'wrapped', tarball(folder))).toMatchObject({
      status: 'success',
    });
    expect(await page('wrapped/guides/install')).toContain('apt-get');
  });

  test('publishes a folder of plain Markdown with a menu of its folders, and says so once', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'guides'));
    await writeFile(join(folder, 'README.md'), '# Acme\n\nSee [setup](guides/setup.md).\n');
    await writeFile(join(folder, 'guides/setup.md'), '# Setting up\n\nRun it.\n');
    const { status, report } = await publishArchive(docent, 'plain', tarball(folder));
    expect(status).toBe('success');
    expect(report?.diagnostics.map(({ code }) => code)).toEqual(['no-settings']);
    expect(await page('plain/guides/setup')).toMatch(/<h1[^>]*>Setting up/);
  });

  test('leaves the live site unchanged if the build fails, and reports why', async () => {
    await publishArchive(docent, 'kept', tarball(fixtureSite('small')));
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'docs.json'), '{ "name": "Broken", ');
    const failed = await publishArchive(docent, 'kept', tarball(folder));
    expect(failed.status).toBe('failure');
    expect(failed.summary).toContain('docs.json');
    expect(await page('kept/guides/install')).toContain('apt-get');
  });

  test('replaces the old build with the new one', async () => {
    const folder = await temporaryFolder();
    spawnSync('cp', ['-r', `${fixtureSite('small')}/.`, folder]);
    await publishArchive(docent, 'changed', tarball(folder));
    await writeFile(
      join(folder, 'guides/install.mdx'),
      '---\ntitle: Install\n---\n\nA new sentence.\n',
    );
    await publishArchive(docent, 'changed', tarball(folder));
    expect(await page('changed/guides/install')).toContain('A new sentence.');
  });

  test.each([
    [
      'a path outside the tree',
      archiveOf({ name: '../outside.mdx', content: 'x' }),
      '../outside.mdx',
    ],
    ['an absolute path', archiveOf({ name: '/etc/docent.mdx', content: 'x' }), '/etc/docent.mdx'],
    [
      'a link that points outside',
      archiveOf({ name: 'leak.mdx', flag: '2', linkName: '../../etc/passwd' }),
      'leak.mdx',
    ],
    ['a device', archiveOf({ name: 'disk', flag: '3' }), 'disk'],
  ])('rejects an archive with %s and names the entry', async (_, archive, name) => {
    const answer = await send(archive);
    expect(answer.status).toBe(400);
    const problem = (await answer.json()) as { code: string; detail: string };
    expect(problem.code).toBe('invalid_archive');
    expect(problem.detail).toContain(name);
  });

  test('rejects invalid archives, truncated archives, decompression bombs and other media types', async () => {
    const whole = tarball(fixtureSite('small'));
    // No larger than a file may be: it is refused for what it was packed into.
    const bomb = archiveOf({ name: 'bomb.txt', content: Buffer.alloc(60 * 1024 * 1024) });
    for (const archive of [
      Buffer.from('no archive at all'),
      whole.subarray(0, whole.length / 2),
      bomb,
    ]) {
      const answer = await send(archive);
      expect([400, 413]).toContain(answer.status);
    }
    expect((await send(whole, 'docent', 'text/plain')).status).toBe(415);
    expect(await page('docent/quickstart')).toContain('Quickstart');
  });

  test('works on the command line through the running process, without a key', async () => {
    const { code, stdout, stderr } = await runDocent(
      ['publish', fixtureSite('small'), '--site', 'by-command', '--json'],
      {
        DOCENT_DATA: docent.dataFolder,
      },
    );
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'success', report: { pageCount: 3 } });
    expect(await page('by-command/guides/install')).toContain('apt-get');
  });

  test('publishes nothing with --strict if the check finds a warning, in a folder or in an archive', async () => {
    await call(docent, docent.adminKey, 'DELETE', '/v1/projects/strictly?confirm=strictly');
    const folder = await temporaryFolder();
    const archive = join(await temporaryFolder(), 'docs.tar.gz');
    const text = (body: string) =>
      writeFile(join(folder, 'index.mdx'), `---\ntitle: Start\n---\n\n${body}\n`);
    await writeFile(
      join(folder, 'docs.json'),
      JSON.stringify({
        theme: 'mint',
        name: 'S',
        colors: { primary: '#0f766e' },
        navigation: { pages: ['index'] },
      }),
    );
    const publish = (source: string) =>
      runDocent(['publish', source, '--site', 'strictly', '--strict'], {
        DOCENT_DATA: docent.dataFolder,
      });
    await text('<Callot>x</Callot>');
    execFileSync('tar', ['-czf', archive, '-C', folder, '.']);
    for (const source of [folder, archive]) {
      const { code, stderr } = await publish(source);
      expect(code).toBe(1);
      expect(stderr).toMatch(/Did you mean <Callout>\?[\s\S]*Not published/);
    }
    expect((await fetchSite(docent, 'strictly', '/')).status).toBe(404);
    await text('<Callout>x</Callout>');
    expect((await publish(folder)).code).toBe(0);
  });

  test('publishes pages with groups with --strict if readers of the site can sign in, and prints how many pages each group sees', async () => {
    const folder = await temporaryFolder();
    await writeFile(
      join(folder, 'docs.json'),
      JSON.stringify({
        theme: 'mint',
        name: 'S',
        colors: { primary: '#0f766e' },
        navigation: { pages: ['index', 'runbook'] },
      }),
    );
    await writeFile(join(folder, 'index.mdx'), '---\ntitle: Start\n---\n\nHello.\n');
    const groups = 'groups: [staff]';
    await writeFile(join(folder, 'runbook.mdx'), `---\ntitle: Run\n${groups}\n---\n\nSteps.\n`);
    const run = (...words: string[]) => runDocent(words, { DOCENT_DATA: docent.dataFolder });
    const publish = () => run('publish', folder, '--site', 'grouped', '--strict');
    // As for a site that is connected with Git.
    const created = await run('sites', 'create', 'grouped', '--name', 'Of groups');
    expect(created.stdout).toMatch(/Site +grouped\n.*Of groups[\s\S]*State +empty/);
    expect((await publish()).stderr).toContain('restricted-page');
    expect((await run('publish', folder, '--site', 'grouped')).code).toBe(0);
    const access = join(await temporaryFolder(), 'access.json');
    await writeFile(access, JSON.stringify({ password: { password: 'correct horse battery' } }));
    const set = await run('access', 'set', '--site', 'grouped', '--from', access);
    expect(set.stderr).toBe('');
    const { code, stderr } = await publish();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('Readers: 1 pages for everybody, staff 2');
  });

  test('tells the server which commit it publishes, from Git, from the variables of a CI service, or from options', async () => {
    const folder = await temporaryFolder();
    const docs = join(folder, 'docs');
    spawnSync('cp', ['-r', fixtureSite('small'), docs]);
    const git = (...args: string[]) =>
      spawnSync(
        'git',
        [
          '-C',
          folder,
          '-c',
          'user.name=Ada Lovelace',
          '-c',
          'user.email=ada@acme.example',
          ...args,
        ],
        {
          encoding: 'utf8',
        },
      ).stdout.trim();
    git('init', '-qb', 'main');
    git('remote', 'add', 'origin', 'https://bot:secret@github.com/acme/docs.git');
    git('add', '.');
    git('commit', '-qm', 'First');
    await writeFile(join(docs, 'new.mdx'), '---\ntitle: New\n---\n\nText.\n');
    await writeFile(join(docs, 'guides/install.mdx'), '---\ntitle: Install\n---\n\nText.\n');
    await writeFile(join(folder, 'readme.md'), 'Not documentation.');
    git('add', '.');
    git('commit', '-qm', 'Explain <b>webhooks</b> \u001b[31m');
    const sha = git('rev-parse', 'HEAD');
    const publish = async (source: string, env: Record<string, string>, ...args: string[]) => {
      const ci = { GITHUB_ACTIONS: '', GITLAB_CI: '', ...env };
      const run = await runDocent(['publish', source, '--site', 'from-git', '--json', ...args], {
        DOCENT_DATA: docent.dataFolder,
        ...ci,
      });
      expect(run.code, run.stderr).toBe(0);
      return JSON.parse(run.stdout) as object;
    };
    const commit = {
      sha,
      ref: 'main',
      message: 'Explain <b>webhooks</b> [31m',
      author: 'Ada Lovelace',
      repository: 'https://github.com/acme/docs',
    };
    const filesChanged = { added: ['new.mdx'], modified: ['guides/install.mdx'], removed: [] };
    expect(await publish(docs, {})).toMatchObject({
      source: 'cli',
      commit: { ...commit, filesChanged },
    });

    git('checkout', '-q', '--detach');
    const merge = {
      GITLAB_CI: 'true',
      CI_COMMIT_SHA: sha,
      CI_COMMIT_REF_NAME: 'release',
      CI_COMMIT_TITLE: 'From CI',
    };
    expect(await publish(docs, merge)).toMatchObject({ commit: { ...commit, ref: 'release' } });
    // An archive comes from no repository.
    const archive = join(folder, 'docs.tar.gz');
    await writeFile(archive, tarball(docs));
    const given = [
      '--commit',
      'b'.repeat(40),
      '--branch',
      'main',
      '--message',
      'By hand',
      '--author',
      'Grace',
    ];
    const byHand = { sha: 'b'.repeat(40), ref: 'main', message: 'By hand', author: 'Grace' };
    expect(
      await publish(archive, { GITHUB_ACTIONS: 'true', GITHUB_SHA: sha }, ...given),
    ).toMatchObject({ commit: byHand });

    const listed = await runDocent(
      ['deployments', 'list', '--site', 'from-git', '--search', 'lovelace'],
      {
        DOCENT_DATA: docent.dataFolder,
      },
    );
    expect(listed.stdout).toContain(
      `Explain <b>webhooks</b> [31m  release@${sha.slice(0, 7)}  Ada Lovelace`,
    );
    expect(listed.stdout).not.toContain('By hand');
  });

  test("a fork's pull request, which gets no key, publishes nothing and says so without failing", async () => {
    const fork = {
      GITLAB_CI: 'true',
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '2',
      CI_MERGE_REQUEST_PROJECT_ID: '1',
    };
    const args = ['publish', fixtureSite('small'), '--site', 'from-fork'];
    const env = { DOCENT_URL: docent.apiUrl, DOCENT_API_KEY: '' };
    expect(await runDocent(args, { ...env, ...fork })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('comes from a fork'),
    });
    expect((await runDocent(args, { ...env, GITLAB_CI: 'true' })).code).toBe(2);
    expect((await runDocent(args, { ...env, ...fork, DOCENT_API_KEY: 'svc_wrong' })).code).toBe(1);
    expect((await call(docent, docent.adminKey, 'GET', '/v1/projects/from-fork')).status).toBe(404);
  });

  test('works on the command line over HTTP with an admin key, and reports a rejected key', async () => {
    const env = { DOCENT_URL: docent.apiUrl, DOCENT_API_KEY: docent.adminKey };
    expect(
      (await runDocent(['publish', fixtureSite('small'), '--site', 'over-http'], env)).code,
    ).toBe(0);
    const refused = await runDocent(['publish', fixtureSite('small'), '--site', 'over-http'], {
      ...env,
      DOCENT_API_KEY: docent.assistantKey,
    });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('key');
  });

  test('accepts keys from the command line until they are revoked', async () => {
    const env = { DOCENT_DATA: docent.dataFolder };
    const made = JSON.parse(
      (await runDocent(['keys', 'create', '--kind', 'admin', '--json'], env)).stdout,
    ) as {
      id: string;
      key: string;
    };
    expect((await call(docent, made.key, 'GET', '/v1/projects')).status).toBe(200);
    const listed = await runDocent(['keys', 'list'], env);
    expect(listed.stdout).toContain(made.id);
    expect(listed.stdout).not.toContain(made.key);
    expect((await runDocent(['keys', 'revoke', made.id], env)).code).toBe(0);
    expect((await call(docent, made.key, 'GET', '/v1/projects')).status).toBe(401);
  });

  test('shows changes when repeated, even if the build cache is damaged', async () => {
    const folder = await temporaryFolder();
    spawnSync('cp', ['-r', `${fixtureSite('small')}/.`, folder]);
    const publishText = async (text: string) => {
      await writeFile(join(folder, 'guides/install.mdx'), `---\ntitle: Install\n---\n\n${text}\n`);
      expect(await publishArchive(docent, 'again', tarball(folder))).toMatchObject({
        status: 'success',
      });
      return page('again/guides/install');
    };
    expect(await publishText('The first text.')).toContain('The first text.');
    expect(await publishText('The second text.')).toContain('The second text.');
    const kept = join(docent.dataFolder, 'blobs/cache');
    const files = (await readdir(kept, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) await writeFile(join(file.parentPath, file.name), 'damaged');
    expect(await publishText('The third text.')).toContain('The third text.');
    expect(await page('again/guides/components')).toContain('Components');
  });

  test('replaces symbolic links within the folder with their targets', async () => {
    const folder = await temporaryFolder();
    spawnSync('cp', ['-r', `${fixtureSite('small')}/.`, folder]);
    await mkdir(join(folder, 'shared'));
    await writeFile(join(folder, 'shared/page.mdx'), '---\ntitle: Shared\n---\n\nShared text.\n');
    await symlink('../shared/page.mdx', join(folder, 'guides/linked.mdx'));
    expect(await publishArchive(docent, 'linked', tarball(folder))).toMatchObject({
      status: 'success',
    });
    expect(await page('linked/guides/linked')).toContain('Shared text.');
  });
});
