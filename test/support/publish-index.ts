import { describeFile, fileKey } from '@docent/compiler/files/file-sink.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { plainText } from '@docent/search/index/stored-document.ts';
import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import type { SearchDocument } from '@docent/search/search-index.ts';
import type { Deps } from '../../packages/server/src/kernel/deps.ts';
import { createUlid } from '../../packages/server/src/kernel/ids.ts';
import { insertDeployment } from '../../packages/server/src/publishing/deployment-queries.ts';
import {
  beginDeployment,
  publishDeployment,
} from '../../packages/server/src/publishing/queries.ts';
import { createSite } from '../../packages/server/src/sites/create-site.ts';

/** Returns a section in the form that the index requires. */
export function searchDocument(
  path: string,
  pageTitle: string,
  markdown: string,
  more: Partial<SearchDocument> = {},
): SearchDocument {
  const base = {
    path,
    href: `/${path}`,
    pageTitle,
    description: '',
    keywords: [],
    anchor: '',
    headings: [],
    boost: 1,
  };
  return { ...base, markdown, ...plainText(markdown), ...more };
}

/** Makes a site live that has only a search index; the first index creates the site. */
export async function publishIndex(
  deps: Deps,
  operator: Actor,
  slug: string,
  documents: readonly SearchDocument[],
): Promise<{ siteId: string; deploymentId: string }> {
  const { database, blobs } = deps;
  const known = await database.queries
    .selectFrom('sites')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirst();
  const siteId = known?.id ?? (await createSite(deps, operator, { slug, hostnames: [] })).id;
  const bytes = buildSearchIndex(documents);
  const searchIndex = describeFile(bytes, 'application/octet-stream');
  await blobs.put(fileKey(searchIndex), bytes);
  const id = createUlid(new Date());
  const manifestKey = `manifests/${id}.json`;
  const report = { pageCount: 1, failedPageCount: 0, fileCount: 1, durationMs: 1, diagnostics: [] };
  const build = {
    id,
    pages: [],
    files: {},
    config: { name: slug },
    navigation: { roots: [], global: [] },
    searchIndex,
    report,
  };
  const { sizeBytes } = await blobs.put(
    manifestKey,
    new TextEncoder().encode(JSON.stringify(build)),
  );
  await insertDeployment(database.queries, {
    id,
    siteId,
    sourceKey: 'none',
    createdAt: new Date(),
  });
  await beginDeployment(database.queries, id, new Date());
  const done = {
    id,
    siteId,
    manifestKey,
    build: {
      id,
      siteName: slug,
      report,
      manifest: { path: manifestKey, sizeBytes },
      buildBytes: 0,
      addedBytes: 0,
      changes: null,
    },
    summary: '',
    now: new Date(),
  };
  await database.queries
    .transaction()
    .execute((transaction) => publishDeployment(transaction, done));
  return { siteId, deploymentId: id };
}
