import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '@docent/format/access/may.ts';
import type { ExportOptions } from '@docent/format/exports/export-options.ts';
import { startExport } from '../../packages/server/src/exports/start-export.ts';
import type { Deps } from '../../packages/server/src/kernel/deps.ts';
import { createUlid } from '../../packages/server/src/kernel/ids.ts';
import type { BlobStore } from '../../packages/server/src/ports/blob-store.ts';
import type { JobContext } from '../../packages/server/src/ports/job-queue.ts';
import { insertDeployment } from '../../packages/server/src/publishing/deployment-queries.ts';
import { publishSite } from '../../packages/server/src/publishing/publish-site.ts';
import { openLiveSites } from '../../packages/server/src/serving/open-live-sites.ts';
import { createSite } from '../../packages/server/src/sites/create-site.ts';
import { tarball } from './http.ts';

/** Returns what a worker passes to a handler, changed by `more`. */
export function jobContext(more: Partial<JobContext> = {}): JobContext {
  return { signal: new AbortController().signal, attempt: 1, lastAttempt: false, ...more };
}

/** Writes a site of `count` pages, each with some text. */
export function writePages(
  folder: string,
  count: number,
  text = 'Some text that fills the page. ',
): void {
  const names = Array.from({ length: count }, (_, index) => `page-${index}`);
  const navigation = { groups: [{ group: 'All', pages: names }] };
  const config = { theme: 'mint', name: 'Many', colors: { primary: '#123456' }, navigation };
  writeFileSync(join(folder, 'docs.json'), JSON.stringify(config));
  for (const name of names) {
    writeFileSync(join(folder, `${name}.mdx`), `---\ntitle: ${name}\n---\n\n${text.repeat(60)}\n`);
  }
}

/** Publishes a site of a number of pages, or a new version of it. */
export async function publishPages(
  deps: Deps,
  operator: Actor,
  slug: string,
  content: { pages: number; text?: string; siteId?: string },
): Promise<{ siteId: string; deploymentId: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-pages-'));
  writePages(folder, content.pages, content.text);
  const siteId = content.siteId ?? (await createSite(deps, operator, { slug, hostnames: [] })).id;
  const deploymentId = createUlid(new Date());
  const sourceKey = `uploads/${deploymentId}.tar.gz`;
  await deps.blobs.put(sourceKey, tarball(folder));
  await insertDeployment(deps.database.queries, {
    id: deploymentId,
    siteId,
    sourceKey,
    createdAt: new Date(),
  });
  await publishSite(deps, deploymentId, jobContext());
  await rm(folder, { recursive: true });
  return { siteId, deploymentId };
}

/** Starts an export of the live site. */
export async function queueExport(
  deps: Deps,
  operator: Actor,
  domain: string,
  options: Partial<ExportOptions> & { requestId?: string } = {},
): Promise<string> {
  const job = await startExport({ ...deps, liveSites: openLiveSites(deps) }, operator, {
    domain,
    ...options,
  });
  return job.id;
}

/**
 * Returns a blob store with some operations replaced. Other processes read it through this one, so
 * that they notice too, unless `reader` says how they do.
 */
export function changedStore(blobs: BlobStore, changes: Partial<BlobStore>): BlobStore {
  const changed = Object.create(blobs, {
    reader: { value: changes.reader },
  }) as BlobStore;
  for (const name of [
    'put',
    'get',
    'read',
    'stat',
    'delete',
    'list',
    'presign',
    'close',
  ] as const) {
    const operation = changes[name] ?? blobs[name];
    Object.assign(changed, {
      [name]: (operation as (...values: unknown[]) => unknown).bind(blobs),
    });
  }
  return changed;
}
