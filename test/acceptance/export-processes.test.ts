import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writePages } from '../support/exported-site.ts';
import { type Job, start, status } from '../support/exports.ts';
import { call, publishArchive, tarball, until } from '../support/http.ts';
import { postgresBin } from '../support/postgres.ts';
import { type RunningDocent, temporaryFolder } from '../support/start-docent.ts';
import { startTwoProcesses, type TwoProcesses } from '../support/two-processes.ts';

const PAGES = 400;

describe.skipIf(postgresBin === undefined)(
  'exports of two processes on one PostgreSQL server',
  () => {
    let processes: TwoProcesses;
    let one: RunningDocent;
    let two: RunningDocent;

    beforeAll(async () => {
      processes = await startTwoProcesses();
      ({ one, two } = processes);
      const folder = await temporaryFolder();
      writePages(folder, PAGES);
      await publishArchive(one, 'many', tarball(folder));
    }, 300_000);
    afterAll(() => processes?.stop());

    /** Running, and far from its end: a process that packs starts first. */
    const begun = (docent: RunningDocent, jobId: string) =>
      until(async () => {
        const job = await status(docent, jobId);
        return job.status === 'queued' ? undefined : job;
      });

    /** Returns the events of a job until its stream ends. */
    async function follow(docent: RunningDocent, jobId: string): Promise<Job[]> {
      const answer = await call(
        docent,
        one.adminKey,
        'GET',
        `/v1/static-export/jobs/${jobId}/events`,
      );
      expect(answer.headers.get('content-type')).toContain('text/event-stream');
      return [...(await answer.text()).matchAll(/^data: (.*)$/gm)].map(
        ([, json]) => JSON.parse(json as string) as Job,
      );
    }

    test('stream their events to completion from either process', async () => {
      const { jobId } = await start(one, { domain: 'many' });
      const streams = await Promise.all([follow(one, jobId), follow(two, jobId)]);
      for (const events of streams) {
        expect(events.at(-1)).toMatchObject({
          status: 'completed',
          progress: 100,
          pageCount: PAGES,
        });
        expect(
          events.slice(0, -1).every(({ status }) => status === 'queued' || status === 'running'),
        ).toBe(true);
        const progress = events.map((event) => event.progress);
        expect(progress).toEqual([...progress].sort((a, b) => a - b));
      }
    });

    test('stay canceled, whichever process runs them, and provide no bundle', async () => {
      const jobs = [await start(one, { domain: 'many' }), await start(two, { domain: 'many' })];
      await begun(one, jobs[0]?.jobId as string);
      for (const { jobId } of jobs) {
        const answer = await call(two, one.adminKey, 'DELETE', `/v1/static-export/jobs/${jobId}`);
        expect(await answer.json()).toMatchObject({ status: 'failed', endReason: 'canceled' });
      }
      await wait(2000);
      for (const { jobId } of jobs) {
        expect(
          (await call(one, one.adminKey, 'POST', `/v1/static-export/jobs/${jobId}/bundle`)).status,
        ).toBe(409);
        expect((await status(one, jobId)).status).toBe('failed');
      }
    });
  },
);
