import { readFileSync, writeFileSync } from 'node:fs';
import {
  type BuildReport,
  type FileEntry,
  readSiteBuild,
  type SiteBuild,
} from '@docent/format/build/site-build.ts';
import { allPages, wholeBuild } from '@docent/format/build/visible-build.ts';
import { comparePages, type PageChanges } from '@docent/format/deployments/page-changes.ts';
import { withFewerPlaces } from '@docent/format/diagnostics.ts';
import { withoutIntegrationsNote } from '@docent/format/docs-json/integration-notes.ts';
import { compareReports } from '@docent/format/questions/question-report.ts';

/** What a build is compared with. */
export interface FormerBuilds {
  /** The live deployment, and where its manifest is, if that can be read. */
  live: { deploymentId: string; manifest: string | undefined } | undefined;
  /** Where the manifest of the site's newest stored build is. */
  newest: string | undefined;
}

/** What remains to be known of a build whose manifest is in a file. */
export interface BuildSummary extends Pick<SiteBuild, 'id'> {
  /** With some places of each warning; the manifest has more. */
  report: BuildReport;
  siteName: string;
  manifest: { path: string; sizeBytes: number };
  /** All its files and its manifest. */
  buildBytes: number;
  /** Those of them that the newest stored build does not have. */
  addedBytes: number;
  /** `null` if the live build cannot be read. */
  changes: PageChanges | null;
}

/**
 * Writes the manifest of a build, and returns the rest of what publishing needs. Where it runs, it
 * takes several times the size of the manifest.
 * @param path of the manifest
 * @param hasIntegrations whether the server lets pages load third-party scripts
 */
export function summarizeBuild(
  build: SiteBuild,
  path: string,
  former: FormerBuilds,
  hasIntegrations: boolean,
): BuildSummary {
  const { id, report, config } = build;
  if (hasIntegrations) report.diagnostics = withoutIntegrationsNote(report.diagnostics);
  const bytes = Buffer.from(JSON.stringify(build));
  writeFileSync(path, bytes, { mode: 0o600 });
  const sizes = new Map(filesOf(build).map(({ sha256, sizeBytes }) => [sha256, sizeBytes]));
  const sumOf = (hashes: Iterable<string>) =>
    [...hashes].reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), bytes.byteLength);
  const existing = former.newest === undefined ? new Set() : hashesIn(former.newest);
  return {
    id,
    siteName: config.name,
    manifest: { path, sizeBytes: bytes.byteLength },
    buildBytes: sumOf(sizes.keys()),
    addedBytes: sumOf([...sizes.keys()].filter((hash) => !existing.has(hash))),
    changes: changesOf(build, former.live),
    report: { ...report, diagnostics: withFewerPlaces(report.diagnostics) },
  };
}

/**
 * Returns what changes for readers, and notes in the report which questions it gains and loses.
 */
function changesOf(build: SiteBuild, live: FormerBuilds['live']): PageChanges | null {
  if (!live) return comparePages(undefined, wholeBuild(build));
  if (live.manifest === undefined) return null;
  const liveBuild = wholeBuild(readSiteBuild(readFileSync(live.manifest, 'utf8')));
  compareReports(build.report.questions, {
    deploymentId: live.deploymentId,
    questions: liveBuild.report?.questions,
  });
  return comparePages({ ...live, build: liveBuild }, wholeBuild(build));
}

function hashesIn(manifest: string): Set<string> {
  return new Set(readFileSync(manifest, 'latin1').match(/[0-9a-f]{64}/g));
}

function filesOf(build: SiteBuild): FileEntry[] {
  const { restricted } = build;
  const files = [...Object.values(build.files), ...Object.values(restricted?.files ?? {})];
  return [
    build.searchIndex,
    ...(restricted ? [restricted.searchIndex] : []),
    ...allPages(build).map(({ content }) => content),
    ...files,
  ];
}
