import { cpSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { writePages } from '../support/exported-site.ts';
import { bundleOf, type Job, start, status, unpack } from '../support/exports.ts';
import { canServeGit, startGitServer } from '../support/git-server.ts';
import { call, fetchSite, publishArchive, tarball } from '../support/http.ts';
import { KILLS } from '../support/kill-when.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

const PAGES = 80;

afterAll(removeTemporaryFolders);

interface Deployment {
  status: string;
  isLive: boolean;
  commit: { sha: string } | null;
}

/** Checks that the status and the progress of a job never go backwards. */
class WatchedJob {
  readonly jobId: string;
  last: Job;
  constructor(job: Job) {
    this.jobId = job.jobId;
    this.last = job;
  }

  async check(docent: RunningDocent): Promise<Job> {
    const order = ['queued', 'running', 'completed'];
    const bundle = await call(
      docent,
      docent.adminKey,
      'POST',
      `/v1/static-export/jobs/${this.jobId}/bundle`,
    );
    const job = await status(docent, this.jobId);
    expect(job.error).toBeUndefined();
    expect(job.progress).toBeGreaterThanOrEqual(this.last.progress);
    expect(job.pageCount).toBeGreaterThanOrEqual(this.last.pageCount);
    expect(order.indexOf(job.status)).toBeGreaterThanOrEqual(order.indexOf(this.last.status));
    if (bundle.status === 200) expect(job.status).toBe('completed');
    else expect(bundle.status).toBe(409);
    this.last = job;
    return job;
  }

  async finish(docent: RunningDocent): Promise<void> {
    while ((await this.check(docent)).status !== 'completed') await wait(50);
  }
}

test(`after kill -9 at ${KILLS} random moments, every job completes, progress never falls, and no bundle is partial`, async () => {
  const folder = await temporaryFolder();
  writePages(folder, PAGES);
  let docent = await startDocent();
  onTestFinished(async () => void (await docent.stop()));
  await publishArchive(docent, 'many', tarball(folder));
  const reference = new WatchedJob(await start(docent, { domain: 'many' }));
  const begunAt = performance.now();
  await reference.finish(docent);
  const usualMs = performance.now() - begunAt;

  const jobs = [reference];
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Half of the kills hit a job that was started before the previous kill.
    if (jobs.at(-1)?.last.status === 'completed')
      jobs.push(new WatchedJob(await start(docent, { domain: 'many' })));
    await wait(Math.random() * usualMs);
    await jobs.at(-1)?.check(docent);
    await docent.kill();
    docent = await startDocent({ dataFolder: docent.dataFolder, port: docent.port });
    if (kill % 2 === 0) await jobs.at(-1)?.check(docent);
    else await jobs.at(-1)?.finish(docent);
  }
  for (const job of jobs) await job.finish(docent);
  const bundles = await Promise.all(jobs.map(({ jobId }) => bundleOf(docent, jobId)));
  expect(new Set(bundles.map(({ sha256 }) => sha256)).size).toBe(1);
  for (const bundle of bundles.slice(-2)) await unpack(bundle);
}, 900_000);

test.skipIf(!canServeGit)(
  'after kill -9 while a repository is fetched, and while it is built, what was pushed goes live',
  async () => {
    const server = await startGitServer();
    const repository = server.createRepository('pushed');
    const folder = await temporaryFolder();
    writePages(folder, PAGES);
    cpSync(folder, repository.work, { recursive: true });
    const first = repository.push({}, 'First');
    const env = { DOCENT_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32,::1/128' };
    let docent = await startDocent({ env });
    const restart = async () => {
      await docent.kill();
      docent = await startDocent({ env, dataFolder: docent.dataFolder, port: docent.port });
    };
    const newest = async () => {
      const list = await call(docent, docent.adminKey, 'GET', '/v1/projects/pushed/deployments');
      const { items } = (await list.json()) as { items: Deployment[] };
      return items[0];
    };
    const isLive = async (sha: string) => {
      const deployment = await newest();
      expect(deployment?.status).not.toBe('failure');
      return deployment?.isLive === true && deployment.commit?.sha === sha;
    };
    const waitFor = async (condition: () => Promise<boolean>) => {
      while (!(await condition())) await wait(100);
    };
    await call(docent, docent.adminKey, 'POST', '/v1/projects', { slug: 'pushed' });

    // The first two requests ask for the branch, the third one for its commits.
    let posts = 0;
    const isFetching = new Promise<void>((resolve) => {
      server.intercept = ({ method }) => {
        if (method === 'POST') posts += 1;
        if (posts >= 3) resolve();
        return posts >= 3;
      };
    });
    const added = await call(docent, docent.adminKey, 'POST', '/v1/projects/pushed/sources', {
      url: repository.url,
    });
    expect(added.status).toBe(201);
    await isFetching;
    await docent.kill();
    server.intercept = undefined;
    await restart();
    await waitFor(() => isLive(first));

    const second = repository.push({ 'page-3.mdx': 'Second' }, 'Second');
    const update = await call(docent, docent.adminKey, 'POST', '/v1/project/update/pushed');
    expect(update.status).toBe(202);
    // The commit is stored when the fetch has ended.
    await waitFor(async () => (await newest())?.commit?.sha === second);
    await restart();
    await waitFor(() => isLive(second));
    expect(await (await fetchSite(docent, 'pushed', '/page-3')).text()).toContain('Second');
    await docent.stop();
    await server.close();
  },
  900_000,
);
