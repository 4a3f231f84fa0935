import { fileKey } from '@docent/compiler/files/file-sink.ts';
import { readStoredPage } from '@docent/compiler/pages/stored-page.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { type BuiltPage, readSiteBuild, type SiteBuild } from '@docent/format/build/site-build.ts';
import { wholeBuild } from '@docent/format/build/visible-build.ts';
import { comparePages, type PageChanges } from '@docent/format/deployments/page-changes.ts';
import { diffTexts, type TextDiff } from '@docent/format/deployments/text-diff.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../kernel/deps.ts';
import { findStoredManifest } from './kept-build-queries.ts';
import {
  type DeploymentName,
  getDeploymentProgress,
  type ShownDeployment,
} from './manage-deployments.ts';
import { findLiveBuild } from './published-builds.ts';

type CompareDeps = Pick<Deps, 'database' | 'blobs' | 'config'>;

/** Which deployments to compare: one of a site with `base`, its id, or `live` for the live one. */
interface Compared extends DeploymentName {
  base: string;
}

/**
 * Compares the pages of two stored builds of a site.
 * @returns both deployments, and what the second changes in the first; without a base if nothing is
 *   live
 * @throws DocentError `site_not_found`, `deployment_not_found`; `build_not_kept` if a build is no
 *   longer stored
 */
export async function compareDeployments(
  deps: CompareDeps,
  actor: Actor,
  name: Compared,
): Promise<{ deployment: ShownDeployment; base: ShownDeployment | null; changes: PageChanges }> {
  const { deployment, base, build, baseBuild } = await openBuilds(deps, actor, name);
  const before = base && baseBuild ? { deploymentId: base.id, build: baseBuild } : undefined;
  return { deployment, base: base ?? null, changes: comparePages(before, build) };
}

/** The text of a page in two builds. */
interface PageComparison extends TextDiff {
  path: string;
  /** Title of the page in each build; null in the one that does not have it. */
  title: string | null;
  baseTitle: string | null;
}

/**
 * Compares the text of a page in two stored builds of a site.
 * @param path site path of the page
 * @throws DocentError as above; `page_not_found` if neither build has the page
 */
export async function compareDeployedPage(
  deps: CompareDeps,
  actor: Actor,
  { path, ...name }: Compared & { path: string },
): Promise<PageComparison> {
  const { build, baseBuild } = await openBuilds(deps, actor, name);
  const pageIn = (site: SiteBuild | undefined) =>
    site?.pages.find(({ href, externalUrl }) => href === path && !externalUrl);
  const [after, before] = [pageIn(build), pageIn(baseBuild)];
  if (!after && !before)
    throw new DocentError('page_not_found', 'Neither of the two builds has a page at this path.');
  const [text, baseText] = await Promise.all([textOf(deps, after), textOf(deps, before)]);
  return {
    path,
    title: after?.title ?? null,
    baseTitle: before?.title ?? null,
    ...diffTexts(baseText, text),
  };
}

async function textOf({ blobs }: CompareDeps, page: BuiltPage | undefined): Promise<string> {
  if (!page) return '';
  const file = await blobs.read(fileKey(page.content));
  if (!file) throw notStored();
  return readStoredPage(file).markdown;
}

async function openBuilds(
  deps: CompareDeps,
  actor: Actor,
  { base: requestedBase, ...name }: Compared,
) {
  const { queries } = deps.database;
  const deployment = await getDeploymentProgress(deps, actor, name);
  const baseId =
    requestedBase === 'live'
      ? (await findLiveBuild(queries, deployment.siteId))?.deploymentId
      : requestedBase;
  const base =
    baseId === undefined
      ? undefined
      : await getDeploymentProgress(deps, actor, { ...name, deploymentId: baseId });
  const open = async ({ siteId, id }: ShownDeployment) => {
    const key = await findStoredManifest(queries, siteId, id);
    const manifest = key && (await deps.blobs.read(key));
    if (!manifest) throw notStored();
    return wholeBuild(readSiteBuild(new TextDecoder().decode(manifest)));
  };
  return { deployment, base, build: await open(deployment), baseBuild: base && (await open(base)) };
}

function notStored(): DocentError {
  return new DocentError(
    'build_not_kept',
    'A build of this comparison is not stored: it failed, or it has expired. Compare builds that can be promoted, or the live one.',
  );
}
