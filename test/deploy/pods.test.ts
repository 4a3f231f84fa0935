import { chmodSync, mkdtempSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasHelm, type Manifest, renderChart } from '../support/helm.ts';
import {
  call,
  fixtureSite,
  publishArchive,
  type Started,
  tarball,
  until,
} from '../support/http.ts';
import { postgresBin, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type ReplayedImage, replayDockerfile } from '../support/replay-dockerfile.ts';
import { type RunningPod, runPod, statusOf, untilReady } from '../support/run-pod.ts';
import { freePort, root } from '../support/start-docent.ts';

/** Shorter than the default, with which these tests would take two minutes. */
const drainSeconds = 2;
let work: string;
let image: ReplayedImage;
const pods: RunningPod[] = [];

beforeAll(async () => {
  // Next to the packages, because the files of the image are links to theirs.
  await mkdir(join(root, '.cache'), { recursive: true });
  work = mkdtempSync(join(root, '.cache/image-'));
  // The pods run as another user.
  chmodSync(work, 0o755);
  image = replayDockerfile(work);
}, 600_000);
afterAll(async () => {
  for (const { child } of pods) child.kill('SIGKILL');
  await rm(work, { recursive: true, force: true });
});

async function manifestsOf(values: object): Promise<Manifest[]> {
  const { manifests, error } = await renderChart({ values: { drainSeconds, ...values } });
  if (error !== '') throw new Error(error);
  return manifests;
}

async function start(
  manifests: Manifest[],
  component: string,
  more: {
    port?: number;
    shared?: Record<string, string>;
    secrets?: Record<string, string>;
    folder?: string;
  } = {},
) {
  const port = more.port ?? (await freePort());
  const pod = runPod(manifests, component, {
    image,
    folder: more.folder ?? join(work, `pod-${pods.length}`),
    ...more,
    port,
  });
  pods.push(pod);
  return pod;
}

/** Stops a pod, and returns what its probes reported until it ended. */
async function stopOf(
  pod: RunningPod,
): Promise<{ notReady: boolean; served: boolean; code: number | null; seconds: number }> {
  const startedAt = Date.now();
  pod.child.kill('SIGTERM');
  let notReady = false;
  let served = false;
  while (
    pod.child.exitCode === null &&
    pod.child.signalCode === null &&
    Date.now() - startedAt < 60_000
  ) {
    const [ready, health] = await Promise.all([
      statusOf(`${pod.url}/readyz`),
      statusOf(`${pod.url}/healthz`),
    ]);
    notReady ||= ready === 503;
    served ||= ready === 503 && health === 200;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { notReady, served, code: await pod.exit, seconds: (Date.now() - startedAt) / 1000 };
}

async function adminOf(pod: RunningPod): Promise<Started> {
  const made = await pod.exec([
    'keys',
    'create',
    '--kind',
    'admin',
    '--scope',
    'read',
    'write',
    '--json',
  ]);
  const adminKey = (JSON.parse(made) as { key: string }).key;
  return { apiUrl: pod.url, adminKey, siteUrl: '', domain: '', assistantKey: '' };
}

describe('the image of the Dockerfile', () => {
  it('has the packages of the command, and none that only the build of the theme or the dashboard needs', async () => {
    const names = await readdir(image.pathOf('/app/node_modules'));
    expect(names).toEqual(expect.arrayContaining(['fastify', 'satteri', 'esbuild', 'preact']));
    for (const name of ['react', 'react-dom', 'mermaid', 'vitest', 'typescript'])
      expect(names).not.toContain(name);
  });
});

describe.skipIf(!hasHelm)("the chart's pods, as processes in the image of the Dockerfile", () => {
  it('the single pod with the embedded database gets ready, runs commands, and reports that it stops before it does', async () => {
    const pod = await start(await manifestsOf({}), 'single');
    await untilReady(pod);
    expect((await adminOf(pod)).adminKey).toMatch(/^svc_/);
    const { notReady, served, code, seconds } = await stopOf(pod);
    expect({ notReady, served, code }, pod.log()).toEqual({
      notReady: true,
      served: true,
      code: 0,
    });
    expect(seconds).toBeGreaterThan(drainSeconds - 0.5);
    expect(seconds).toBeLessThan(drainSeconds + 30);
  }, 180_000);

  describe.skipIf(postgresBin === undefined)('several of them on PostgreSQL', () => {
    let server: TestPostgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    it('publish and export together; a static export pod serves the bundle, also from its cache without the link', async () => {
      const port = await freePort();
      const values = {
        publicUrl: `http://127.0.0.1:${port}`,
        database: { external: { secretName: 'database' } },
        storage: { sharedVolume: { enabled: true } },
      };
      const manifests = await manifestsOf(values);
      const more = {
        secrets: {
          DOCENT_DATABASE_URL: await server.createDatabase(),
          DOCENT_SECRET: 'a-text-that-both-of-them-have-in-common',
        },
        shared: { '/var/lib/docent-shared': join(work, `shared-${pods.length}`) },
      };
      const migration = await start(manifests, 'migrate', more);
      expect(await migration.exit, migration.log()).toBe(0);
      expect(migration.log()).toContain('0001-');
      const web = await start(manifests, 'web', { ...more, port });
      const worker = await start(manifests, 'worker', more);
      await Promise.all([untilReady(web), untilReady(worker)]);
      expect(await statusOf(`${worker.url}/v1/projects`)).toBe(404);
      expect(await (await fetch(`${worker.url}/metrics`)).text()).toContain('docent_jobs_depth');

      const admin = await adminOf(web);
      // Sites that need much of what is installed: type checking, grammars, formulas, components in
      // the sandbox.
      for (const site of ['islands', 'code']) {
        const { status, report } = await publishArchive(admin, site, tarball(fixtureSite(site)));
        expect({ status, failed: report?.failedPageCount }, worker.log()).toEqual({
          status: 'success',
          failed: 0,
        });
        if (site === 'code') expect(report?.diagnostics).toEqual([]);
      }
      const begun = (await (
        await call(admin, admin.adminKey, 'POST', '/v1/static-export/jobs', { domain: 'code' })
      ).json()) as {
        jobId: string;
      };
      const bundle = await until(async () => {
        const answer = await call(
          admin,
          admin.adminKey,
          'POST',
          `/v1/static-export/jobs/${begun.jobId}/bundle`,
        );
        return answer.ok
          ? ((await answer.json()) as { bundleUrl: string; sha256: string })
          : undefined;
      });

      const folder = join(work, `static-${pods.length}`);
      const site = await manifestsOf({
        staticExport: { enabled: true, bundleUrl: bundle.bundleUrl, sha256: bundle.sha256 },
      });
      const first = await start(site, 'static', { folder });
      await untilReady(first);
      expect(await statusOf(`${first.url}/`)).toBe(200);
      expect(await stopOf(first)).toMatchObject({ notReady: true, code: 0 });

      expect(await stopOf(worker)).toMatchObject({ code: 0 });
      expect(await stopOf(web)).toMatchObject({ notReady: true, served: true, code: 0 });
      const again = await start(site, 'static', { folder });
      await untilReady(again);
      expect(await statusOf(`${again.url}/`)).toBe(200);
      expect(await stopOf(again)).toMatchObject({ code: 0 });

      const nowhere = await start(site, 'static');
      await untilReady(nowhere, '/healthz');
      expect(await statusOf(`${nowhere.url}/readyz`), nowhere.log()).toBe(503);
      nowhere.child.kill('SIGTERM');
      expect(await nowhere.exit).toBe(0);
    }, 300_000);
  });
});
