import type { Actor } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { createUlid } from '../kernel/ids.ts';
import { publishSlots } from '../kernel/jobs/slots.ts';
import type { Transaction } from '../ports/database.ts';
import { createSite } from '../sites/create-site.ts';
import { cleanUpUploads, sourceKeyOf } from './clean-up-builds.ts';
import { findOwnDeployment } from './deployment-queries.ts';
import { failKilledDeployment } from './publish-site.ts';
import { beginDeployment, failDeployment } from './queries.ts';
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
  const { id: siteId } = await createSite(deps, operator, {
    slug: `publish-slots-${count}`,
    hostnames: [],
  });
  return {
    async deploy() {
      deps.clock.advance(1);
      const id = createUlid(deps.clock.now());
      await deps.blobs.put(sourceKeyOf(id), Buffer.from('source'));
      await startDeployment(deps, {
        id,
        organizationId: operator.organizationId,
        siteId,
        sourceKey: sourceKeyOf(id),
      });
      return id;
    },
  };
}

const enqueued = () =>
  deps.jobs.added.map(({ payload }) => (payload as { deploymentId: string }).deploymentId);
const begin = (id: string) => beginDeployment(deps.database.queries, id, deps.clock.now());
const end = (id: string) => failKilledDeployment(deps, id);
const rowOf = (id: string) =>
  deps.database.queries
    .selectFrom('deployments')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

test('an organization has one deployment in the job queue at a time, so another organization is next', async () => {
  deps.jobs.added.length = 0;
  const [many, one] = [await addOrganization(testApp), await addOrganization(testApp)];
  const waiting: string[] = [];
  for (let index = 0; index < 5; index += 1) waiting.push(await (await newSite(many)).deploy());
  const other = await (await newSite(one)).deploy();
  expect(enqueued()).toEqual([waiting[0], other]);
  await end(waiting[0] as string);
  await end(other);
  expect(enqueued()).toEqual([waiting[0], other, waiting[1]]);
});

/** Whose turn it is among the deployments in the job queue: what a worker would build next. */
function takeNext(): string {
  const [next] = deps.jobs.added.toSorted((a, b) => a.rank - b.rank);
  if (!next) throw new Error('The job queue is empty.');
  deps.jobs.added.splice(deps.jobs.added.indexOf(next), 1);
  return (next.payload as { deploymentId: string }).deploymentId;
}

/** Organizations that one person created. */
async function organizationsOfOnePerson(count: number): Promise<Actor[]> {
  const all = await Promise.all(Array.from({ length: count }, () => addOrganization(testApp)));
  const ids = all.map(({ organizationId }) => organizationId);
  const { queries } = deps.database;
  await queries
    .updateTable('organizations')
    .set({ created_by_user: 'mallory' })
    .where('id', 'in', ids)
    .execute();
  return all;
}

test('sixty organizations of one person have one turn', async () => {
  deps.jobs.added.length = 0;
  const waiting: string[] = [];
  for (const organization of await organizationsOfOnePerson(60))
    waiting.push(await (await newSite(organization)).deploy());
  const quiet = await (await newSite(await addOrganization(testApp))).deploy();
  expect(enqueued()).toEqual([waiting[0], quiet]);
  await end(waiting[0] as string);
  expect(enqueued()).toEqual([waiting[0], quiet, waiting[1]]);
  for (const id of waiting) await end(id);
  await end(quiet);
});

test('organizations that publish without pause delay another by one build at most, whatever they do with their builds', async () => {
  deps.jobs.added.length = 0;
  const hostile = await Promise.all([addOrganization(testApp), addOrganization(testApp)]);
  const BUILD_SECONDS = 600;
  const ownerOf = (id: string) =>
    deps.database.queries
      .selectFrom('deployments')
      .innerJoin('sites', 'sites.id', 'deployments.site_id')
      .select('organization_id as organizationId')
      .where('deployments.id', '=', id)
      .executeTakeFirstOrThrow();
  const change = async (id: string, how: (transaction: Transaction) => Promise<unknown>) => {
    const { organizationId } = await ownerOf(id);
    await publishSlots.within(deps, organizationId, how);
  };
  const fail = (id: string, endReason: { endReason?: 'canceled' } = {}) =>
    change(id, (transaction) =>
      failDeployment(transaction, {
        id,
        summary: 'Over.',
        report: null,
        ...endReason,
        now: deps.clock.now(),
      }),
    );
  /** The ways in which the hostile ones end a build that has used its whole budget. */
  const endings = [
    fail,
    (id: string) =>
      change(id, (transaction) =>
        transaction.deleteFrom('deployments').where('id', '=', id).execute(),
      ),
    (id: string) => fail(id, { endReason: 'canceled' }),
  ];
  const sites = [];
  for (const organization of hostile)
    for (let index = 0; index < 4; index += 1) sites.push(await newSite(organization));
  for (const site of sites) await site.deploy();
  const quietSite = await newSite(await addOrganization(testApp));
  let quiet: string | undefined;
  let built = 0;
  const waits: number[] = [];
  for (let round = 0; round < 24; round += 1) {
    const { id } = (await begin(takeNext())) as { id: string };
    if (id === quiet) {
      waits.push(built);
      await fail(id);
      quiet = undefined;
      continue;
    }
    // In the middle of a build that has begun before.
    deps.clock.advance(BUILD_SECONDS / 2);
    if (round >= 4 && quiet === undefined) {
      quiet = await quietSite.deploy();
      built = 0;
    }
    deps.clock.advance(BUILD_SECONDS / 2);
    await (endings[round % endings.length] as typeof fail)(id);
    built += 1;
    for (const site of sites) await site.deploy();
  }
  expect(waits.length).toBeGreaterThan(7);
  // The one that was being built.
  expect(new Set(waits)).toEqual(new Set([1]));
});

test('what an organization used while it was alone is not held against it for ever', async () => {
  deps.jobs.added.length = 0;
  const [busy, other] = [
    await newSite(await addOrganization(testApp)),
    await newSite(await addOrganization(testApp)),
  ];
  for (let round = 0; round < 50; round += 1) {
    await busy.deploy();
    const id = takeNext();
    await begin(id);
    deps.clock.advance(600);
    await end(id);
  }
  const order: string[] = [];
  const names = new Map([
    [await busy.deploy(), 'busy'],
    [await other.deploy(), 'other'],
  ]);
  for (let round = 0; round < 8; round += 1) {
    const id = takeNext();
    const name = names.get(id) as string;
    order.push(name);
    await begin(id);
    deps.clock.advance(600);
    await end(id);
    names.set(await (name === 'busy' ? busy : other).deploy(), name);
  }
  expect(order.slice(0, 2)).toEqual(['other', 'other']);
  expect(order.slice(2).filter((name) => name === 'busy')).toHaveLength(3);
});

test('a newer deployment of a site supersedes the queued ones, but not the one that is being built', async () => {
  deps.jobs.added.length = 0;
  const site = await newSite(await addOrganization(testApp));
  const building = await site.deploy();
  await begin(building);
  const queued = await site.deploy();
  const newest = await site.deploy();
  expect(await rowOf(queued)).toMatchObject({
    status: 'failure',
    summary: 'Superseded by a newer deployment.',
  });
  expect((await rowOf(building)).status).toBe('in_progress');
  await end(building);
  expect(enqueued()).toEqual([building, queued]);
  expect(await begin(queued)).toMatchObject({ id: newest });
  await end(queued);
  expect(await rowOf(newest)).toMatchObject({ status: 'failure', attempts: 1 });
});

test('a deployment that supersedes another takes its place, in the job queue or among those waiting', async () => {
  deps.jobs.added.length = 0;
  const [many, one] = [await addOrganization(testApp), await addOrganization(testApp)];
  const [first, second, third] = [await newSite(many), await newSite(many), await newSite(many)];
  const enqueuedFirst = await first.deploy();
  const waitingFirst = await second.deploy();
  const other = await (await newSite(one)).deploy();
  const waitingLast = await third.deploy();
  const newer = [
    await first.deploy(),
    await second.deploy(),
    await first.deploy(),
    await second.deploy(),
  ];
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
  const operator = await addOrganization(testApp);
  const all: string[] = [];
  for (let index = 0; index < 3; index += 1) all.push(await (await newSite(operator)).deploy());
  await publishSlots.fillAll({
    ...deps,
    config: { ...deps.config, publishing: { ...deps.config.publishing, perOrganization: 2 } },
  });
  expect(enqueued().filter((id) => all.includes(id))).toEqual(all.slice(0, 2));
});

test('sources are deleted after their deployment ended, except the newest of each site and queued ones', async () => {
  const operator = await addOrganization(testApp);
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
    for (const key of [old, newest, queued].map(sourceKeyOf).concat(lost))
      if (await deps.blobs.stat(key)) keys.push(key);
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

test('a waiting deployment says how many come before it: those of its account, and those of others whose turn is earlier', async () => {
  deps.jobs.added.length = 0;
  await deps.database.queries.updateTable('deployments').set({ status: 'failure' }).execute();
  const [many, one] = [await addOrganization(testApp), await addOrganization(testApp)];
  const first = await (await newSite(many)).deploy();
  const second = await (await newSite(many)).deploy();
  const third = await (await newSite(many)).deploy();
  const other = await (await newSite(one)).deploy();
  const placeOf = async (id: string, { organizationId }: Actor) =>
    (await findOwnDeployment(deps.database.queries, organizationId, id))?.queuePosition;
  const places = async () => [
    ...(await Promise.all([first, second, third].map((id) => placeOf(id, many)))),
    await placeOf(other, one),
  ];
  // The waiting ones of an account do not count for others.
  expect(await places()).toEqual([0, 2, 3, 1]);
  await begin(first);
  expect(await places()).toEqual([null, 2, 3, 0]);
  await begin(other);
  expect(await places()).toEqual([null, 1, 2, null]);
  await end(first);
  expect(await places()).toEqual([null, 0, 1, null]);
  for (const id of [second, third, other]) await end(id);
});
