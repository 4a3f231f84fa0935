import type { BuildReport } from '@docent/format/build/site-build.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import type { GitProvider } from '@docent/format/sources/git-provider.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type HostName,
  type StandInHost,
  standInHost,
} from '../../../../../test/support/git-host.ts';
import { type StandInGitHub, standInGitHub } from '../../../../../test/support/github-app.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../../test/support/test-app.ts';
import { createUlid } from '../../kernel/ids.ts';
import { HostFault } from '../../outside/call-host.ts';
import type { OutsideCall, OutsideCalls } from '../../ports/outside-calls.ts';
import { openPreviewOf } from '../../previews/open-preview.ts';
import { insertDeployment } from '../../publishing/deployment-queries.ts';
import {
  findPullRequest,
  storePullRequest,
  updatePullRequest,
} from '../../sources/pull-request-queries.ts';
import { updateGitSource } from '../../sources/queries.ts';
import { reportPullRequest } from './report-pull-request.ts';

const SHA = 'a'.repeat(40);
const signal = new AbortController().signal;

/** Where each server has a repository, what lets us in, and how it names the states of a commit. */
const HOSTS: Record<
  HostName,
  { url: string; authorization: string; states: [string, string, string] }
> = {
  github: {
    url: 'https://github.com/acme/docs.git',
    authorization: 'Bearer s3cret',
    states: ['pending', 'success', 'failure'],
  },
  gitea: {
    url: 'https://git.acme.example:3000/acme/docs',
    authorization: 'token s3cret',
    states: ['pending', 'success', 'failure'],
  },
  gitlab: {
    url: 'https://git.acme.example/a/team/docs',
    authorization: 'Bearer s3cret',
    states: ['pending', 'success', 'failed'],
  },
  bitbucket: {
    url: 'https://bitbucket.org/acme/docs.git',
    authorization: 'Bearer s3cret',
    states: ['INPROGRESS', 'SUCCESSFUL', 'FAILED'],
  },
  'bitbucket-server': {
    url: 'https://git.acme.example/scm/ACME/docs.git',
    authorization: 'Bearer s3cret',
    states: ['INPROGRESS', 'SUCCESSFUL', 'FAILED'],
  },
  azure: {
    url: 'https://dev.azure.com/acme/Team%20A/_git/docs',
    authorization: `Basic ${Buffer.from(':s3cret').toString('base64')}`,
    states: ['pending', 'succeeded', 'failed'],
  },
};

const warning = (file: string, message: string, code = 'broken-link'): Diagnostic => ({
  severity: 'warning',
  code,
  message,
  remedy: 'Fix it.',
  file,
  line: 3,
});
const reportWith = (...diagnostics: Diagnostic[]): BuildReport => ({
  pageCount: 2,
  failedPageCount: 0,
  fileCount: 2,
  durationMs: 1,
  diagnostics,
});

let test: TestApp;
let host: StandInHost;
let slug: string;
let siteId: string;
let sourceId: string;
let sites = 0;

describe('the report about a pull request', () => {
  beforeAll(async () => {
    const outsideCalls: OutsideCalls = { call: (call: OutsideCall) => host.call(call) };
    test = await openTestApp({ outsideCalls });
  });
  afterAll(() => test.close());

  async function connect(
    provider: HostName,
    { app, ...more }: { app?: StandInGitHub; folder?: string } = {},
  ): Promise<void> {
    const { url, authorization } = HOSTS[provider];
    sites += 1;
    slug = `report-${sites}`;
    host = app ?? standInHost(provider, { origin: new URL(url).origin, authorization });
    const operator = await addOrganization(test);
    ({ siteId } = await addSite(test, operator, slug));
    const { headers } = await addKey(test, operator, { kind: 'admin' });
    const post = async (path: string, payload: object) =>
      (await test.app.inject({ method: 'POST', url: path, headers, payload })).json();
    if (app) {
      const { action } = await post('/v1/github-apps', {});
      const state = new URL(action).searchParams.get('state');
      await post('/v1/github-apps/complete', { state, code: 'code' });
    }
    const credentials = app ? { kind: 'github_app' } : { kind: 'token', token: 's3cret' };
    const payload = { url, provider: provider as GitProvider, credentials, ...more };
    sourceId = (await post(`/v1/projects/${slug}/sources`, payload)).id;
    const now = test.deps.clock.now();
    await storePullRequest(test.deps.database.queries, {
      id: createUlid(now),
      sourceId,
      number: 7,
      ref: 'refs/heads/better',
      title: 'Better',
      author: 'ada',
      isMember: false,
      isOpen: true,
      toldAt: now,
      createdAt: now,
    });
  }
  const pull = async () => {
    const row = await findPullRequest(test.deps.database.queries, { sourceId, number: 7 });
    if (!row) throw new Error('The pull request is gone.');
    return row;
  };
  const change = async (changes: Parameters<typeof updatePullRequest>[2]) =>
    updatePullRequest(test.deps.database.queries, (await pull()).id, {
      headSha: SHA,
      seenSha: SHA,
      ...changes,
    });
  const report = () => reportPullRequest(test.deps, { sourceId, number: 7 }, signal);

  /** Stores a deployment that has ended; of the preview of the pull request, or live. */
  async function deploy(
    status: 'success' | 'failure',
    kind: 'preview' | 'live',
    buildReport: BuildReport,
  ): Promise<void> {
    const { queries } = test.deps.database;
    test.deps.clock.advance(1);
    const createdAt = test.deps.clock.now();
    const id = createUlid(createdAt);
    const site = { id: siteId, slug };
    const previewId =
      kind === 'live'
        ? null
        : (await openPreviewOf(test.deps, site, 'pr-7', { createdBy: null })).id;
    await insertDeployment(queries, {
      id,
      siteId,
      sourceKey: `uploads/${id}`,
      createdAt,
      ...(previewId !== null && { previewId }),
    });
    const list = (...pages: string[]) => ({ count: pages.length, pages });
    const changes = {
      comparedWith: null,
      added: list('/new'),
      changed: list('/start)[x'),
      removed: list('/old'),
    };
    await queries
      .updateTable('deployments')
      .set({
        status,
        manifest_key: 'x',
        build_id: 'x',
        report: JSON.stringify(buildReport),
        changes: JSON.stringify(changes),
        ended_at: createdAt,
      })
      .where('id', '=', id)
      .execute();
    if (kind === 'live')
      await queries
        .updateTable('sites')
        .set({ live_deployment_id: id })
        .where('id', '=', siteId)
        .execute();
    else await change({ previewId, state: 'previewed' });
  }

  it.each(Object.keys(HOSTS) as HostName[])(
    'is one comment at %s, which is edited and not repeated, and the status of the commit',
    async (provider) => {
      const { states } = HOSTS[provider];
      await connect(provider);
      await change({ state: 'waiting' });
      await report();
      expect(host.comments).toHaveLength(1);
      expect(host.comments[0]?.text).toContain('must approve');
      await deploy('success', 'preview', reportWith());
      await report();
      await report();
      expect(host.comments).toHaveLength(1);
      expect(host.comments[0]?.text).toContain(`[Open the preview](http://pr-7--${slug}.localhost`);
      await deploy('failure', 'preview', reportWith());
      await report();
      expect(host.statuses.map(({ state }) => state)).toEqual([
        states[0],
        states[1],
        states[1],
        states[2],
      ]);
      expect(new Set(host.statuses.map(({ sha }) => sha))).toEqual(
        new Set([provider === 'azure' ? '' : SHA]),
      );
      await change({ isOpen: false });
      await report();
      expect(host.comments).toHaveLength(1);
      expect(host.comments[0]?.text).toContain('preview has ended');
      expect(await pull()).toMatchObject({ commentId: '100', reportError: null });
    },
  );

  it.each(['github', 'bitbucket-server'] as const)(
    'is edited at %s however many comments there are, and written again if somebody deleted it',
    async (provider) => {
      await connect(provider);
      await change({ state: 'waiting' });
      await report();
      host.comments.unshift(
        ...Array.from({ length: 100 }, (_, id) => ({
          id: id + 1000,
          text: 'A person.',
          version: 0,
        })),
      );
      await change({ state: 'unchanged' });
      await report();
      expect(host.comments).toHaveLength(101);
      expect(host.comments.at(-1)?.text).toContain('no page changes');
      host.comments.length = 0;
      await change({ state: 'waiting' });
      await report();
      expect(host.comments).toMatchObject([{ text: expect.stringContaining('must approve') }]);
    },
  );

  describe('at GitHub', () => {
    beforeEach(() => connect('github'));

    it('fails for answers that get worse and for errors of Vale, where the owner says so', async () => {
      const { queries } = test.deps.database;
      const state = async (changes: object) => {
        await updateGitSource(queries, sourceId, changes);
        await report();
        return host.statuses.at(-1)?.state;
      };
      const vale = warning('start.mdx', 'Use another word. (Acme.Words)', 'vale-error');
      const changes = { ...{ gained: [], openCount: 1 }, lost: ['How do I rotate a key?'] };
      const questions = { changes } as unknown as NonNullable<BuildReport['questions']>;
      await deploy('success', 'live', reportWith());
      await deploy('success', 'preview', { ...reportWith(vale), questions });
      expect(await state({})).toBe('success');
      expect(host.comments[0]?.text).toContain('with 1 new problem and 1 test question lost');
      expect(await state({ vale: 'fails' })).toBe('failure');
      expect(await state({ vale: 'reports' })).toBe('success');
      expect(await state({ failsOnAnswers: true })).toBe('failure');
    });

    it('names the pages and the problems that the change brings, and nothing of them is read as Markdown', async () => {
      await deploy(
        'success',
        'live',
        reportWith(warning('a.mdx', 'The link /gone leads nowhere.')),
      );
      const evil = 'The link `](x) @acme/all <img src=x>\n# leads nowhere.';
      await deploy(
        'success',
        'preview',
        reportWith(warning('a.mdx', 'The link /gone leads nowhere.'), warning('b.mdx', evil)),
      );
      await report();
      const text = host.comments[0]?.text ?? '';
      expect(text).toContain('1 new problem.');
      expect(text).toContain(
        "- warning in `b.mdx:3`: `The link '](x) @acme/all <img src=x> # leads nowhere.`",
      );
      expect(text).not.toContain('/gone');
      expect(text).toContain('Added pages (1):\n\n- `/new` ([preview](');
      expect(text).toMatch(
        /- `\/start\)\[x` \(\[preview\]\(\S+\/start%29%5Bx\), \[live\]\(\S+\/start%29%5Bx\)\)/,
      );
      expect(text).toContain('Removed pages (1):\n\n- `/old` ([live](');
    });

    it('fails the check for the problems that the owner says, and for no others', async () => {
      await deploy('success', 'preview', reportWith(warning('a.mdx', 'The link leads nowhere.')));
      await report();
      await test.deps.database.queries
        .updateTable('git_sources')
        .set({ fails_on: 'links' })
        .where('id', '=', sourceId)
        .execute();
      await report();
      expect(host.statuses.map(({ state }) => state)).toEqual(['success', 'failure']);
    });

    it('writes no comment about what changes no page, and finds its own after everything here was lost', async () => {
      await change({ state: 'unchanged' });
      await report();
      expect(host.comments).toEqual([]);
      expect(host.statuses).toMatchObject([{ state: 'success', description: 'no page changes.' }]);
      await change({ state: 'waiting' });
      await report();
      host.comments.unshift({ id: 1, text: 'A person says something.', version: 0 });
      await change({ commentId: null, state: 'unchanged' });
      await report();
      expect(host.comments.map(({ id }) => id)).toEqual([1, 100]);
      expect(host.comments[1]?.text).toContain('no page changes');
    });

    it('says nothing good of a commit that nobody has looked at, and of the newest what its preview says', async () => {
      await deploy('success', 'preview', reportWith());
      await change({ headSha: 'b'.repeat(40) });
      await report();
      await change({ state: 'unchanged', headSha: 'b'.repeat(40) });
      await report();
      await change({ state: 'previewed', headSha: 'b'.repeat(40), seenSha: 'b'.repeat(40) });
      await report();
      expect(host.statuses.map(({ state, sha }) => [state, sha.slice(0, 1)])).toEqual([
        ['pending', 'b'],
        ['pending', 'b'],
        ['success', 'b'],
      ]);
    });

    it('sends the token of another server to none of Bitbucket', async () => {
      const url = 'https://git.acme.example/acme/docs';
      const source = test.deps.database.queries
        .updateTable('git_sources')
        .set({ provider: 'bitbucket', url });
      await source.where('id', '=', sourceId).execute();
      await change({ state: 'waiting' });
      await report();
      expect(host.requests).toEqual([]);
    });

    it('is sent again after an outage, and says which right the token lacks', async () => {
      await change({ state: 'waiting' });
      host.down = 503;
      await expect(report()).rejects.toThrow(HostFault);
      expect((await pull()).reportError).toContain('status 503');
      host.down = 403;
      await report();
      expect((await pull()).reportError).toContain('let the token write pull requests');
      host.down = undefined;
      await report();
      expect(await pull()).toMatchObject({ reportError: null, commentId: '100' });
    });

    it('is not sent without a token, and says nothing of what nobody has looked at', async () => {
      await report();
      await change({ state: 'waiting' });
      await test.deps.database.queries
        .updateTable('git_sources')
        .set({ credentials: 'none' })
        .where('id', '=', sourceId)
        .execute();
      await report();
      expect(host.requests).toEqual([]);
    });
  });

  describe('through a GitHub App', () => {
    let github: StandInGitHub;
    beforeEach(async () => {
      github = standInGitHub('github.com', test.deps.clock);
      github.installed.push('acme/docs');
      github.codes.set('code', { id: 4711, slug: 'docent-acme' });
      await connect('github', { folder: 'docs', app: github });
    });

    it('is a check run with the problems at their lines, at most fifty in one request, and no status', async () => {
      await change({ state: 'previewed', seenSha: null });
      await report();
      const problems = Array.from({ length: 120 }, (_, at) => warning('a.mdx', `Problem ${at}.`));
      await deploy('success', 'preview', reportWith(...problems));
      await report();
      await report();
      expect(github.checkRuns).toMatchObject([
        { head_sha: SHA, name: `docent/${slug}`, status: 'completed', conclusion: 'success' },
      ]);
      const [{ annotations }] = github.checkRuns as [(typeof github.checkRuns)[number]];
      expect(annotations).toHaveLength(120);
      expect(annotations[119]).toMatchObject({
        path: 'docs/a.mdx',
        start_line: 3,
        annotation_level: 'warning',
        message: 'Problem 119. Fix it.',
      });
      expect([host.statuses, host.comments.length]).toEqual([[], 1]);
    });

    it('has another result, without what the first had, when the build is repeated', async () => {
      await deploy('success', 'preview', reportWith(warning('a.mdx', 'The link is broken.')));
      await report();
      await deploy('failure', 'preview', reportWith());
      await report();
      expect(
        github.checkRuns.map(({ conclusion, annotations }) => [conclusion, annotations.length]),
      ).toEqual([
        ['success', 1],
        ['failure', 0],
      ]);
    });

    it('is whole after the server broke off between two requests', async () => {
      const problems = Array.from({ length: 60 }, (_, at) => warning('a.mdx', `Problem ${at}.`));
      await deploy('success', 'preview', reportWith(...problems));
      const { respond } = github;
      github.respond = (operation, ...more) =>
        operation.startsWith('PATCH') ? [503, {}] : respond?.(operation, ...more);
      await expect(report()).rejects.toThrow(HostFault);
      github.respond = respond;
      await report();
      expect(github.checkRuns.map(({ annotations }) => annotations.length)).toEqual([50, 60]);
      expect((await pull()).reportError).toBeNull();
    });
  });
});
