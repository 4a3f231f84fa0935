import type { Actor } from '@docent/format/access/may.ts';
import { cacheFigures } from '@docent/format/bounded-cache.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedStore, publishPages } from '../../../../test/support/exported-site.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { createUlid } from '../kernel/ids.ts';
import { manifestKeyOf } from '../kernel/sites/site-blobs.ts';
import { updateSiteSettings } from '../kernel/sites/site-queries.ts';
import { openLiveSites } from './open-live-sites.ts';

let app: TestApp;
let operator: Actor;
beforeAll(async () => {
  app = await openTestApp();
  operator = await addOrganization(app);
});
afterAll(() => app.close());

/** Returns live sites of a process of its own, and the keys that it has read from the store. */
function openCounted(siteCacheBytes = app.deps.config.siteCacheBytes) {
  const reads: string[] = [];
  const read = (key: string) => {
    reads.push(key);
    return app.deps.blobs.read(key);
  };
  const blobs = changedStore(app.deps.blobs, { read });
  return {
    reads,
    liveSites: openLiveSites({
      ...app.deps,
      config: { ...app.deps.config, siteCacheBytes },
      blobs,
    }),
  };
}

const heldOf = (name: 'site_manifests' | 'search_indexes') => {
  const { bytes = 0, entries = 0 } = cacheFigures().get(name) ?? {};
  return { bytes, entries };
};

test('a build is in memory once, however often its settings change', async () => {
  const { siteId } = await publishPages(app.deps, operator, 'often-changed', { pages: 30 });
  const { reads, liveSites } = openCounted();
  const first = await liveSites.find('often-changed');
  await first?.searchIndex();
  const held = [heldOf('site_manifests'), heldOf('search_indexes')];
  const before = reads.length;
  for (let change = 0; change < 74; change++) {
    await updateSiteSettings(app.deps.database.queries, siteId, 'security', {
      frameAncestors: [`https://h${change}.example`],
    });
    app.deps.clock.advance(2);
    const site = await liveSites.find('often-changed');
    expect(site?.security.frameAncestors).toEqual([`https://h${change}.example`]);
    expect(site?.build).toBe(first?.build);
    expect(await site?.searchIndex()).toBe(await first?.searchIndex());
  }
  expect(reads.slice(before)).toEqual([]);
  expect([heldOf('site_manifests'), heldOf('search_indexes')]).toEqual(held);
});

test('a publish replaces the former build in memory, and shares an index that did not change', async () => {
  const { siteId, deploymentId } = await publishPages(app.deps, operator, 'republished', {
    pages: 5,
  });
  const { reads, liveSites } = openCounted();
  const first = await liveSites.find('republished');
  const index = await first?.searchIndex();
  const { entries } = heldOf('site_manifests');
  await publishPages(app.deps, operator, 'republished', { pages: 5, siteId });
  app.deps.clock.advance(2);
  const second = await liveSites.find('republished');
  expect(second?.deploymentId).not.toBe(deploymentId);
  expect(heldOf('site_manifests').entries).toBe(entries);
  const before = reads.length;
  expect(await second?.searchIndex()).toBe(index);
  expect(reads.slice(before)).toEqual([]);
});

test('a site of one organization stays in memory while another opens more than fits', async () => {
  const other = await addOrganization(app);
  await publishPages(app.deps, operator, 'quiet-site', { pages: 3 });
  for (const name of ['greedy-a', 'greedy-b', 'greedy-c'])
    await publishPages(app.deps, other, name, { pages: 40 });
  const { bytes: before } = heldOf('site_manifests');
  const { reads, liveSites } = openCounted(300_000);
  const quiet = await liveSites.find('quiet-site');
  for (let round = 0; round < 3; round++) {
    for (const name of ['greedy-a', 'greedy-b', 'greedy-c']) {
      app.deps.clock.advance(2);
      expect((await liveSites.find(name))?.slug).toBe(name);
    }
  }
  expect(reads.length).toBeGreaterThan(4);
  expect(heldOf('site_manifests').bytes - before).toBeLessThanOrEqual(100_000);
  reads.length = 0;
  app.deps.clock.advance(2);
  expect((await liveSites.find('quiet-site'))?.build).toBe(quiet?.build);
  expect(reads).toEqual([]);
});

test('a build that cannot be opened is not served: the former one is, until it can', async () => {
  const { siteId, deploymentId } = await publishPages(app.deps, operator, 'away-site', {
    pages: 2,
  });
  let isAway = false;
  const read = (key: string) =>
    isAway ? Promise.reject(new Error('The store is away.')) : app.deps.blobs.read(key);
  const liveSites = openLiveSites({ ...app.deps, blobs: changedStore(app.deps.blobs, { read }) });
  expect((await liveSites.find('away-site'))?.deploymentId).toBe(deploymentId);
  const next = await publishPages(app.deps, operator, 'away-site', { pages: 3, siteId });
  isAway = true;
  app.deps.clock.advance(2);
  expect((await liveSites.find('away-site'))?.deploymentId).toBe(deploymentId);
  isAway = false;
  app.deps.clock.advance(2);
  await liveSites.find('away-site');
  await expect
    .poll(async () => (await liveSites.find('away-site'))?.deploymentId)
    .toBe(next.deploymentId);
});

test('three hundred sites in turn are read from the store once, like sixty', async () => {
  const { queries } = app.deps.database;
  const { siteId, deploymentId } = await publishPages(app.deps, operator, 'many-sites', {
    pages: 50,
  });
  const { manifest_key: key } = await queries
    .selectFrom('deployments')
    .select('manifest_key')
    .where('id', '=', deploymentId)
    .executeTakeFirstOrThrow();
  const manifest = (await app.deps.blobs.read(key as string)) as Uint8Array;
  const slugs = Array.from({ length: 300 }, (_, number) => `one-of-many-${number}`);
  const copies = slugs.map((slug) => {
    const id = createUlid(new Date());
    return { slug, site: createUlid(new Date()), id, key: manifestKeyOf(id) };
  });
  for (const copy of copies) await app.deps.blobs.put(copy.key, manifest);
  const listed = sql`jsonb_to_recordset(${JSON.stringify(copies)}::jsonb)
    AS copy(slug text, site text, id text, key text)`;
  await sql`INSERT INTO sites SELECT one.* FROM sites, ${listed},
    LATERAL jsonb_populate_record(sites, jsonb_build_object('id', copy.site, 'slug', copy.slug,
      'live_deployment_id', NULL)) one
    WHERE sites.id = ${siteId}`.execute(queries);
  await sql`INSERT INTO deployments SELECT one.* FROM deployments, ${listed},
    LATERAL jsonb_populate_record(deployments, jsonb_build_object('id', copy.id, 'site_id', copy.site,
      'manifest_key', copy.key, 'build_id', copy.id)) one
    WHERE deployments.id = ${deploymentId}`.execute(queries);
  await sql`UPDATE sites SET live_deployment_id = copy.id FROM ${listed}
    WHERE sites.id = copy.site`.execute(queries);
  const readsOfRound = async (count: number) => {
    // As much as a process in a container of 512 MB has.
    const { reads, liveSites } = openCounted(64 * 1024 * 1024);
    const round = async () => {
      reads.length = 0;
      for (const slug of slugs.slice(0, count)) {
        app.deps.clock.advance(2);
        expect((await liveSites.find(slug))?.build.pages).toHaveLength(50);
      }
      return reads.length;
    };
    return [await round(), await round(), await round()];
  };
  expect(await readsOfRound(60)).toEqual([60, 0, 0]);
  expect(await readsOfRound(300)).toEqual([300, 0, 0]);
});
