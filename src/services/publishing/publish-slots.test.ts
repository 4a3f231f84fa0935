import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOrganisation, openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import type { Actor } from '../../core/access/may.ts';
import { beginDeployment } from '../../db/deployments/publishing.ts';
import { createUlid } from '../ids.ts';
import { createSite } from '../sites/create-site.ts';
import { cleanUpUploads, sourceKeyOf } from './clean-up-builds.ts';
import { failKilledDeployment } from './publish-site.ts';
import { publishSlots } from './slots.ts';
import { startDeployment } from './start-deployment.ts';

let testApp: TestApp;
let deps: TestApp['deps'];

beforeAll(async () => {
  testApp = await openTestApp();
  deps = testApp.deps;
});
afterAll(() => testApp.close());

let count = 0;

async function newSite(operator: Actor): Promise<{ deploy(): Promise<string> }> {
  count += 1;
  const { id: siteId } = await createSite(deps, operator, { slug: `publish-slots-${count}`, hostnames: [] });
  return {
    async deploy() {
      deps.clock.advance(1);
      const id = createUlid(deps.clock.now());
      await deps.blobs.put(sourceKeyOf(id), Buffer.from('source'));
      await startDeployment(deps, { id, organisationId: operator.organisationId, siteId, sourceKey: sourceKeyOf(id) });
      return id;
    },
  };
}

const enqueued = () => deps.jobs.added.map(({ payload }) => (payload as { deploymentId: string }).deploymentId);
const begin = (id: string) => beginDeployment(deps.database.queries, id, deps.clock.now());
const end = (id: string) => failKilledDeployment(deps, id);
const rowOf = (id: string) =>
  deps.database.queries.selectFrom('deployments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('an organization has one deployment in the job queue at a time, so another organization is next', async () => {
  deps.jobs.added.length = 0;
  const [many, one] = [await addOrganisation(testApp), await addOrganisation(testApp)];
  const waiting: string[] = [];
  for (let index = 0; index < 5; index += 1) waiting.push(await (await newSite(many)).deploy());
  const other = await (await newSite(one)).deploy();
  expect(enqueued()).toEqual([waiting[0], other]);
  await end(waiting[0] as string);
  await end(other);
  expect(enqueued()).toEqual([waiting[0], other, waiting[1]]);
});

test('a newer deployment of a site supersedes the queued ones, but not the one that is being built', async () => {
  deps.jobs.added.length = 0;
  const site = await newSite(await addOrganisation(testApp));
  const building = await site.deploy();
  await begin(building);
  const queued = await site.deploy();
  const newest = await site.deploy();
  expect(await rowOf(queued)).toMatchObject({ status: 'failure', summary: 'Superseded by a newer deployment.' });
  expect((await rowOf(building)).status).toBe('in_progress');
  await end(building);
  expect(enqueued()).toEqual([building, queued]);
  expect(await begin(queued)).toMatchObject({ id: newest });
  await end(queued);
  expect(await rowOf(newest)).toMatchObject({ status: 'failure', attempts: 1 });
});

test('a deployment that supersedes another takes its place, in the job queue or among those waiting', async () => {
  deps.jobs.added.length = 0;
  const [many, one] = [await addOrganisation(testApp), await addOrganisation(testApp)];
  const [first, second, third] = [await newSite(many), await newSite(many), await newSite(many)];
  const enqueuedFirst = await first.deploy();
  const waitingFirst = await second.deploy();
  const other = await (await newSite(one)).deploy();
  const waitingLast = await third.deploy();
  const newer = [await first.deploy(), await second.deploy(), await first.deploy(), await second.deploy()];
  expect(enqueued()).toEqual([enqueuedFirst, other]);
  expect(await begin(enqueuedFirst)).toMatchObject({ id: newer[2] });
  await end(enqueuedFirst);
  expect(enqueued()).toEqual([enqueuedFirst, other, waitingFirst]);
  expect(await begin(waitingFirst)).toMatchObject({ id: newer[3] });
  await end(waitingFirst);
  expect(enqueued()).toEqual([enqueuedFirst, other, waitingFirst, waitingLast]);
});

test('waiting deployments are admitted after the limit is raised', async () => {
  deps.jobs.added.length = 0;
  const operator = await addOrganisation(testApp);
  const all: string[] = [];
  for (let index = 0; index < 3; index += 1) all.push(await (await newSite(operator)).deploy());
  await publishSlots.fillAll({
    ...deps,
    config: { ...deps.config, publishing: { ...deps.config.publishing, perOrganisation: 2 } },
  });
  expect(enqueued().filter((id) => all.includes(id))).toEqual(all.slice(0, 2));
});

test('sources are deleted after their deployment ended, except the newest of each site and queued ones', async () => {
  const operator = await addOrganisation(testApp);
  const [site, other] = [await newSite(operator), await newSite(operator)];
  const old = await site.deploy();
  await end(old);
  const newest = await site.deploy();
  await end(newest);
  const queued = await other.deploy();
  const lost = sourceKeyOf(createUlid(deps.clock.now()));
  await deps.blobs.put(lost, Buffer.from('source'));
  const left = async () => {
    const keys: string[] = [];
    for (const key of [old, newest, queued].map(sourceKeyOf).concat(lost)) if (await deps.blobs.stat(key)) keys.push(key);
    return keys;
  };
  await cleanUpUploads(deps);
  expect(await left()).toHaveLength(4);
  deps.clock.advance(2 * 3600);
  await cleanUpUploads(deps);
  expect(await left()).toEqual([sourceKeyOf(newest), sourceKeyOf(queued), lost]);
  deps.clock.advance(24 * 3600);
  await cleanUpUploads(deps);
  expect(await left()).toEqual([sourceKeyOf(newest), sourceKeyOf(queued)]);
});
