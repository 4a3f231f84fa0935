import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, callDeclared } from '../../../../test/support/declared.ts';
import { fixtureSite, tarball } from '../../../../test/support/http.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { createUlid } from '../kernel/ids.ts';
import { openLiveSites } from '../serving/open-live-sites.ts';
import { oldBuilds } from './clean-up-builds.ts';
import { insertDeployment } from './deployment-queries.ts';
import { deleteBuildRecords, listStoredBuilds } from './kept-build-queries.ts';
import { publishSite } from './publish-site.ts';

let test: TestApp;
let operator: Actor;
let headers: Record<string, string>;
let stranger: Record<string, string>;
let folder: string;

beforeAll(async () => {
  test = await openTestApp();
  operator = await addOrganization(test);
  headers = (await addKey(test, operator, { kind: 'admin' })).headers;
  stranger = (await addKey(test, await addOrganization(test), { kind: 'admin' })).headers;
  folder = await mkdtemp(join(tmpdir(), 'docent-deployments-'));
  spawnSync('cp', ['-r', `${fixtureSite('basic')}/.`, folder]);
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

const context = { signal: new AbortController().signal, attempt: 1, lastAttempt: false };

async function newSite(): Promise<{ slug: string; siteId: string }> {
  const slug = `site-${randomUUID().slice(0, 8)}`;
  return { slug, ...(await addSite(test, operator, slug)) };
}

/** A deployment that is queued. */
async function addDeployment(siteId: string, archive?: Uint8Array): Promise<string> {
  const { deps } = test;
  deps.clock.advance(10);
  const id = createUlid(deps.clock.now());
  if (archive) await deps.blobs.put(`uploads/${id}.tar.gz`, archive);
  const row = { id, siteId, sourceKey: `uploads/${id}.tar.gz`, createdAt: deps.clock.now() };
  await insertDeployment(deps.database.queries, row);
  return id;
}

/** A deployment with a stored build, without building one. */
async function addBuilt(siteId: string): Promise<string> {
  const id = await addDeployment(siteId);
  const manifestKey = `manifests/${id}`;
  await test.deps.blobs.put(manifestKey, Buffer.from(JSON.stringify({ pages: [] })));
  await test.deps.database.queries
    .updateTable('deployments')
    .set({
      status: 'success',
      manifest_key: manifestKey,
      build_id: id,
      ended_at: test.deps.clock.now(),
    })
    .where('id', '=', id)
    .execute();
  return id;
}

const call = (method: Call['method'], site: string, path = '', payload?: object, as = headers) =>
  callDeclared(test.app, {
    method,
    url: `/v1/projects/${site}/deployments${path}`,
    headers: as,
    ...(payload && { payload }),
  });
const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);

describe('a deployment', () => {
  it('shows stages with times, its log, its report, findings by kind, and the changed pages', async () => {
    const { slug, siteId } = await newSite();
    await publishSite(test.deps, await addDeployment(siteId, tarball(folder)), context);
    await writeFile(
      join(folder, 'guides/install.mdx'),
      '---\ntitle: Install\n---\n\nAnother text.\n',
    );
    const second = await addDeployment(siteId, tarball(folder));
    await publishSite(test.deps, second, context);
    const found = (await call('GET', slug, `/${second}`)).json();
    expect(found).toMatchObject({
      status: 'success',
      isLive: true,
      canPromote: false,
      pages: 7,
      attempts: 1,
    });
    const names = found.stages.map((stage: { name: string }) => stage.name);
    expect(names).toEqual(
      expect.arrayContaining(['Unpacking the source', 'Compiling pages', 'Publishing']),
    );
    expect(
      found.stages.every(
        (stage: { status: string; endedAt: string | null }) =>
          stage.status === 'done' && stage.endedAt,
      ),
    ).toBe(true);
    expect(found.log.at(-1).text).toBe(found.summary);
    expect(found.report).toMatchObject({ pageCount: 7, failedPageCount: 0 });
    expect(found.report.diagnostics).toContainEqual(found.findings[0].items[0]);
    const unknown = found.findings.find(
      (one: { kind: string }) => one.kind === 'unknown-component',
    );
    expect(unknown).toMatchObject({
      severity: 'warning',
      items: [{ file: 'guides/components.mdx', line: 24 }],
    });
    expect(found.changes.changed.pages).toEqual(['/guides/install']);
    const first = found.changes.comparedWith;
    const comparison = (await call('GET', slug, `/${second}/comparison?base=${first}`)).json();
    expect(comparison).toMatchObject({
      deployment: { id: second },
      base: { id: first },
      added: { count: 0 },
      changed: { count: 1, pages: ['/guides/install'] },
      removed: { count: 0 },
    });
    const inPage = (path: string) =>
      call('GET', slug, `/${first}/comparison/page?path=${encodeURIComponent(path)}`);
    const page = (await inPage('/guides/install')).json();
    expect(page).toMatchObject({
      title: 'Install',
      baseTitle: 'Install',
      removed: 1,
      isCut: false,
    });
    expect(page.rows).toContainEqual({
      kind: 'removed',
      parts: [{ text: 'Another text.', isChanged: false }],
    });
    expect((await inPage('/nowhere')).json()).toMatchObject({ code: 'page_not_found' });
    expect((await call('GET', slug, `/${second}/comparison?base=nothing`)).json()).toMatchObject({
      code: 'deployment_not_found',
    });
    const queued = await addDeployment(siteId);
    expect((await call('GET', slug, `/${queued}/comparison`)).json()).toMatchObject({
      code: 'build_not_kept',
    });
    expect([found.changes.added.count, found.changes.removed.count]).toEqual([0, 0]);
  });

  it('reports how it answers the questions of its repository, and which it gains and loses, and never publishes them', async () => {
    const { slug, siteId } = await newSite();
    const source = await mkdtemp(join(tmpdir(), 'docent-questions-'));
    const write = (path: string, text: string) => writeFile(join(source, path), text);
    const deploy = async () => {
      const id = await addDeployment(siteId, tarball(source));
      await publishSite(test.deps, id, context);
      return { id, ...(await call('GET', slug, `/${id}`)).json() };
    };
    await write(
      'docs.json',
      '{"name": "A", "theme": "mint", "colors": {"primary": "#123456"}, "navigation": {"pages": ["keys"]}}',
    );
    await write('keys.mdx', '---\ntitle: Soup\n---\n\nBoil the soup for an hour.\n');
    const key = '{ question: How do I rotate an API key?, pages: [keys] }';
    await write(
      'questions.yaml',
      `rules: { answered: 100 }\nquestions: [${key}, { question: Is there an SDK? }]`,
    );
    const first = await deploy();
    expect(first.report.questions).toMatchObject({
      counts: { questions: 1, answered: 0, open: 1 },
      rules: [{ rule: 'answered', value: 0, holds: false }],
      results: [{ question: 'How do I rotate an API key?', isAnswered: false }, { isOpen: true }],
    });
    expect(first.report.questions.changes).toBeUndefined();
    expect(first.findings).toMatchObject([
      { kind: 'questions-rule', items: [{ file: 'questions.yaml' }] },
    ]);
    await write(
      'keys.mdx',
      '---\ntitle: Rotate an API key\n---\n\nTo rotate an API key, run `acme keys rotate`.\n',
    );
    const second = await deploy();
    const gained = ['How do I rotate an API key?'];
    expect(second.report.questions.changes).toEqual({
      comparedWith: first.id,
      gained,
      lost: [],
      openCount: 1,
    });
    const build = JSON.parse(
      new TextDecoder().decode(await test.deps.blobs.read(`manifests/${second.id}.json`)),
    );
    expect(Object.keys(build.files)).not.toContain('questions.yaml');
    await write('questions.yaml', 'questions: [{ question: Why?, pages: [kyes] }]');
    expect((await deploy()).findings.map(({ kind }: { kind: string }) => kind)).toContain(
      'questions-page',
    );
    await write('questions.yaml', 'questions: Why?');
    const broken = await deploy();
    expect(broken).toMatchObject({ status: 'success', findings: [{ kind: 'questions-syntax' }] });
    expect(broken.report.questions).toBeUndefined();
    await rm(source, { recursive: true });
  });

  it('counts pages, errors and warnings in its summary, and reports a private key in the source', async () => {
    const { slug, siteId } = await newSite();
    const source = await mkdtemp(join(tmpdir(), 'docent-key-'));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(
      join(source, 'docs.json'),
      '{"name": "A", "theme": "mint", "colors": {"primary": "#123456"}, "navigation": {"pages": ["index"]}}',
    );
    await writeFile(join(source, 'index.mdx'), '---\ntitle: Home\n---\n\nText.\n');
    await writeFile(
      join(source, 'server.pem'),
      privateKey.export({ format: 'pem', type: 'pkcs8' }),
    );
    const id = await addDeployment(siteId, tarball(source));
    await publishSite(test.deps, id, context);
    await rm(source, { recursive: true });
    const found = (await call('GET', slug, `/${id}`)).json();
    expect(found.summary).toBe('1 page, 1 error, 0 warnings');
    expect(found.findings).toMatchObject([
      { kind: 'secret-file', severity: 'error', items: [{ file: 'server.pem' }] },
    ]);
  });

  it('reports the stage at which it failed, and the reason', async () => {
    const { slug, siteId } = await newSite();
    const broken = await mkdtemp(join(tmpdir(), 'docent-broken-'));
    await writeFile(join(broken, 'docs.json'), '{ "name": ');
    const id = await addDeployment(siteId, tarball(broken));
    await publishSite(test.deps, id, context);
    await rm(broken, { recursive: true });
    const found = (await call('GET', slug, `/${id}`)).json();
    expect(found.stages.at(-1)).toMatchObject({
      status: 'failed',
      name: expect.stringMatching(/^Reading the configuration/),
    });
    expect(found.log.at(-1).text).toBe(found.summary);
    expect(found.findings).toMatchObject([{ kind: 'build_failed', severity: 'error', count: 1 }]);
  });

  it('streams its events: the log so far, the state, and the end', async () => {
    const { slug, siteId } = await newSite();
    const id = await addDeployment(siteId, tarball(folder));
    const events = test.app.inject({
      url: `/v1/projects/${slug}/deployments/${id}/events`,
      headers,
    });
    await publishSite(test.deps, id, context);
    const { body, headers: sentHeaders } = await events;
    expect(sentHeaders['content-type']).toMatch(/^text\/event-stream/);
    const states = [...body.matchAll(/event: deployment\ndata: (.*)/g)].map(
      ([, json]) => JSON.parse(json as string).status,
    );
    expect(states.length).toBeGreaterThan(1);
    expect(states.at(-1)).toBe('success');
    const lines = [...body.matchAll(/event: log\nid: (\d+)\ndata: (.*)/g)].map(([, number]) =>
      Number(number),
    );
    expect(lines).toEqual(lines.map((_, index) => index + 1));
    const rest = await test.app.inject({
      url: `/v1/projects/${slug}/deployments/${id}/events`,
      headers: { ...headers, 'last-event-id': String(lines.length - 1) },
    });
    expect(rest.body.match(/event: log/g)).toHaveLength(1);
  });
});

describe('canceling a deployment', () => {
  it('ends a queued one, is idempotent, and returns 409 for one that has ended', async () => {
    const { slug, siteId } = await newSite();
    const id = await addDeployment(siteId);
    expect((await call('POST', slug, `/${id}/cancel`)).json()).toMatchObject({
      status: 'failure',
      endReason: 'canceled',
    });
    expect((await call('POST', slug, `/${id}/cancel`)).statusCode).toBe(200);
    const built = await call('POST', slug, `/${await addBuilt(siteId)}/cancel`);
    expect([built.statusCode, built.json().code]).toEqual([409, 'deployment_ended']);
  });

  it('stops a running build, which then changes nothing', async () => {
    const { slug, siteId } = await newSite();
    const id = await addDeployment(siteId, tarball(folder));
    const building = publishSite(test.deps, id, context);
    await expect
      .poll(async () => (await call('GET', slug, `/${id}`)).json().status)
      .toBe('in_progress');
    await call('POST', slug, `/${id}/cancel`);
    await building;
    expect((await call('GET', slug, `/${id}`)).json()).toMatchObject({
      status: 'failure',
      endReason: 'canceled',
      isLive: false,
    });
  });

  it('by deleting its site leaves no compiled pages behind', async () => {
    const { siteId } = await newSite();
    const building = publishSite(test.deps, await addDeployment(siteId, tarball(folder)), context);
    await test.deps.database.queries.deleteFrom('sites').where('id', '=', siteId).execute();
    await building;
    expect(await test.deps.blobs.stat(`cache/pages/${siteId}`)).toBeUndefined();
  });
});

describe('promoting a deployment', () => {
  it('switches the live site forward and back, and other processes see it within a second', async () => {
    const { slug, siteId } = await newSite();
    const [first, second] = [await addBuilt(siteId), await addBuilt(siteId)];
    const other = openLiveSites(test.deps);
    for (const id of [second, first, second]) {
      expect((await call('POST', slug, `/${id}/promote`)).json()).toMatchObject({
        id,
        isLive: true,
        canPromote: false,
      });
      test.deps.clock.advance(1);
      expect((await other.find(slug))?.deploymentId).toBe(id);
    }
    const { items } = (await call('GET', slug)).json();
    expect(
      items.map((one: { id: string; canPromote: boolean }) => [one.id, one.canPromote]),
    ).toEqual([
      [second, false],
      [first, true],
    ]);
  });

  it('is not undone by a build that started before, but by the next one', async () => {
    const { slug, siteId } = await newSite();
    const chosen = await addBuilt(siteId);
    const before = await addDeployment(siteId, tarball(folder));
    test.deps.clock.advance(10);
    await call('POST', slug, `/${chosen}/promote`);
    await publishSite(test.deps, before, context);
    const late = (await call('GET', slug, `/${before}`)).json();
    expect(late).toMatchObject({
      status: 'success',
      isLive: false,
      summary: expect.stringContaining('Not live'),
    });
    const next = await addDeployment(siteId, tarball(folder));
    await publishSite(test.deps, next, context);
    expect((await call('GET', slug, `/${next}`)).json().isLive).toBe(true);
  });

  it('returns 409 if its build is not stored', async () => {
    const { slug, siteId } = await newSite();
    const failed = await addDeployment(siteId);
    await call('POST', slug, `/${failed}/cancel`);
    const old = await addBuilt(siteId);
    await deleteBuildRecords(test.deps.database.queries, [old]);
    for (const id of [failed, old])
      expect((await call('POST', slug, `/${id}/promote`)).json().code).toBe('build_not_kept');
  });
});

describe('pinning a deployment', () => {
  it('excludes its build from the clean-up until it is unpinned', async () => {
    const { slug, siteId } = await newSite();
    const ids = [await addBuilt(siteId), await addBuilt(siteId), await addBuilt(siteId)];
    const old = async () => {
      const later = new Date(test.deps.clock.now().getTime() + 86_400_000);
      const own = (await listStoredBuilds(test.deps.database.queries)).filter(
        (build) => build.siteId === siteId,
      );
      return oldBuilds(own, 1, later).map(({ deploymentId }) => deploymentId);
    };
    expect(await old()).toEqual([ids[1], ids[0]]);
    expect((await call('PATCH', slug, `/${ids[0]}`, { pinned: true })).json().pinned).toBe(true);
    expect(await old()).toEqual([ids[1]]);
    await deleteBuildRecords(test.deps.database.queries, ids);
    expect((await call('GET', slug, `/${ids[0]}`)).json().canPromote).toBe(true);
    await call('PATCH', slug, `/${ids[0]}`, { pinned: false });
    expect((await call('PATCH', slug, `/${ids[1]}`, { pinned: true })).json().code).toBe(
      'build_not_kept',
    );
  });
});

describe('deleting a deployment', () => {
  it('is rejected while it is live, pinned or queued, and otherwise removes it with its build', async () => {
    const { slug, siteId } = await newSite();
    const [live, pinned, waiting, gone] = [
      await addBuilt(siteId),
      await addBuilt(siteId),
      await addDeployment(siteId),
      await addBuilt(siteId),
    ];
    await call('POST', slug, `/${live}/promote`);
    await call('PATCH', slug, `/${pinned}`, { pinned: true });
    for (const id of [live, pinned, waiting])
      expect((await call('DELETE', slug, `/${id}`)).json().code).toBe('deployment_in_use');
    expect((await call('DELETE', slug, `/${gone}`)).statusCode).toBe(204);
    expect((await call('GET', slug, `/${gone}`)).json().code).toBe('deployment_not_found');
    expect(idsOf((await call('GET', slug)).json())).toEqual([waiting, pinned, live]);
    const stored = (await listStoredBuilds(test.deps.database.queries)).map(
      ({ deploymentId }) => deploymentId,
    );
    expect(stored).not.toContain(gone);
  });
});

describe('the list of deployments', () => {
  it('is read page by page, newest first, and filtered by status', async () => {
    const { slug, siteId } = await newSite();
    const ids = [await addBuilt(siteId), await addDeployment(siteId), await addBuilt(siteId)];
    const first = (await call('GET', slug, '?limit=2')).json();
    expect([idsOf(first), first.hasMore]).toEqual([[ids[2], ids[1]], true]);
    const second = (await call('GET', slug, `?limit=2&cursor=${first.nextCursor}`)).json();
    expect([idsOf(second), second.hasMore]).toEqual([[ids[0]], false]);
    expect(idsOf((await call('GET', slug, '?status=queued')).json())).toEqual([ids[1]]);
    expect((await call('GET', slug, '?cursor=x')).statusCode).toBe(400);
  });

  it('names the commit, the key and the source of each, and finds them by any of these and by preview', async () => {
    const { slug } = await newSite();
    const send = async (query: string, as = headers) => {
      test.deps.clock.advance(10);
      const sent = await test.app.inject({
        method: 'PUT',
        url: `/v1/project/${slug}/source?${query}`,
        headers: { ...as, 'content-type': 'application/gzip' },
        payload: tarball(folder),
      });
      expect(sent.statusCode, sent.body).toBe(202);
      return sent.json().statusId as string;
    };
    const author = encodeURIComponent('Ada "100%" Lovelace\u0007');
    const committed = await send(
      `sha=1F3C9AB2d4e6f8071b2c3d4e5f60718293a4b5c6&ref=main&message=Fix%20links%0A%0AMore&author=${author}&added=a.mdx&modified=b.mdx&modified=c.mdx`,
    );
    const shown = await send('preview=feature%2Fflux&sha=&ref=&message=', {
      ...headers,
      'user-agent': 'docent-cli',
    });
    const [preview, live] = (await call('GET', slug)).json().items;
    const commit = {
      sha: '1f3c9ab2d4e6f8071b2c3d4e5f60718293a4b5c6',
      ref: 'main',
      message: 'Fix links',
      author: 'Ada "100%" Lovelace',
    };
    expect(live).toMatchObject({
      id: committed,
      commit,
      actor: { kind: 'key', name: 'test' },
      source: 'api',
      pageChanges: null,
    });
    expect(preview).toMatchObject({
      id: shown,
      commit: null,
      source: 'cli',
      preview: 'feature-flux',
      previewBranch: 'feature/flux',
    });
    const status = await callDeclared(test.app, {
      method: 'GET',
      url: `/v1/project/update-status/${committed}`,
      headers,
    });
    const filesChanged = { added: ['a.mdx'], modified: ['b.mdx', 'c.mdx'], removed: [] };
    expect(status.json()).toMatchObject({ commit: { ...commit, filesChanged }, source: 'api' });
    const find = async (q: string) =>
      idsOf((await call('GET', slug, `?q=${encodeURIComponent(q)}`)).json());
    for (const q of ['fix LINKS', 'main', '100%', 'lovelace', '1f3c9ab', committed])
      expect(await find(q), q).toEqual([committed]);
    for (const q of ['feature/flux', 'ature-fl']) expect(await find(q), q).toEqual([shown]);
    for (const q of ['100%z', 'x_n', 'f3c9ab2', "'"]) expect(await find(q), q).toEqual([]);
    expect(await find('test')).toEqual([shown, committed]);
    expect((await call('GET', slug, '?q=%00')).statusCode).toBe(400);
  });

  it('has the source of a failed deployment built again, with its commit, for the preview that it was built for', async () => {
    const { slug, siteId } = await newSite();
    const url = `/v1/project/${slug}/source?preview=flux&ref=flux&message=Broken`;
    const type = { 'content-type': 'application/gzip' };
    const sent = await test.app.inject({
      method: 'PUT',
      url,
      headers: { ...headers, ...type },
      payload: tarball(folder),
    });
    const id = sent.json().statusId as string;
    await call('POST', slug, `/${id}/cancel`);
    const again = await call('POST', slug, `/${id}/rebuild`);
    expect(again.statusCode).toBe(202);
    const { statusId } = again.json();
    expect((await call('GET', slug, `/${statusId}`)).json()).toMatchObject({
      preview: 'flux',
      status: 'queued',
      commit: { ref: 'flux', message: 'Broken' },
    });
    const lost = await addDeployment(siteId);
    expect((await call('POST', slug, `/${lost}/rebuild`)).json()).toMatchObject({
      code: 'source_missing',
    });
  });
});

describe('a deployment of another organization or site', () => {
  it('returns 404 for every operation', async () => {
    const { slug, siteId } = await newSite();
    const other = await newSite();
    const id = await addBuilt(siteId);
    const operations: [Call['method'], string, object?][] = [
      ['GET', ''],
      ['GET', '/events'],
      ['GET', '/comparison'],
      ['GET', '/comparison/page?path=/'],
      ['POST', '/cancel'],
      ['POST', '/promote'],
      ['POST', '/rebuild'],
      ['PATCH', '', { pinned: true }],
      ['DELETE', ''],
    ];
    for (const [method, path, body] of operations) {
      expect(
        (await call(method, slug, `/${id}${path}`, body, stranger)).statusCode,
        `${method} ${path}`,
      ).toBe(404);
      expect(
        (await call(method, other.slug, `/${id}${path}`, body)).statusCode,
        `${method} ${path}`,
      ).toBe(404);
    }
    expect((await call('GET', slug, '', undefined, stranger)).statusCode).toBe(404);
  });
});
