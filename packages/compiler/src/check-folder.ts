import type { BuildReport, BuiltPage, SiteBuild } from '@docent/format/build/site-build.ts';
import { wholeBuild } from '@docent/format/build/visible-build.ts';
import { checkAccessibility } from '@docent/format/check/accessibility.ts';
import { unlistedPages } from '@docent/format/check/page-reach.ts';
import {
  CHECK_SEVERITIES,
  type Severities,
  withSeverities,
} from '@docent/format/check/severities.ts';
import { unusedFiles } from '@docent/format/check/unused-files.ts';
import { components } from '@docent/format/content/components/registry.ts';
import { splitFrontmatter } from '@docent/format/content/mdx/frontmatter.ts';
import { parseSource } from '@docent/format/content/mdx/parse-source.ts';
import { type Diagnostic, groupDiagnostics, sortFindings } from '@docent/format/diagnostics.ts';
import { readComposedSources, SOURCES_FILE } from '@docent/format/docs-json/site-sources.ts';
import { DocentError } from '@docent/format/errors.ts';
import { pageFacts } from '@docent/format/navigation/page-facts.ts';
import { type BuildOptions, buildSite } from './build-site.ts';
import { describeFile, type FileSink } from './files/file-sink.ts';
import { compilerVersion, openPagePack, type PagePackFiles } from './pages/page-pack.ts';
import { PAGE_TYPE, readStoredPage } from './pages/stored-page.ts';
import { buildFault } from './site/build-fault.ts';
import { readIgnoreRules } from './site/site-model.ts';
import { openSourceFolder, type SourceTree } from './source/source-tree.ts';

export interface CheckResult extends Omit<BuildReport, 'diagnostics'> {
  /** By file and line. */
  findings: Diagnostic[];
}

type CheckOptions = Pick<
  BuildOptions,
  'onProgress' | 'fetchOutside' | 'gitFacts' | 'parts' | 'canSignIn'
> & {
  rules?: Severities;
  /** The pages of the last check, and those of this one. */
  pagePack?: PagePackFiles | undefined;
};

/**
 * Checks a documentation folder: reports everything that the build of a site reports, by running
 * that build, and hints that only matter to authors before publishing. A configuration that stops
 * the build is a finding too.
 * @param rules severities that take precedence over those of the site, which take precedence over
 *   `CHECK_SEVERITIES`
 */
export async function checkFolder(
  folder: string,
  { rules, pagePack, ...options }: CheckOptions = {},
): Promise<CheckResult> {
  const startedAt = performance.now();
  const passedMs = () => Math.round(performance.now() - startedAt);
  const source = openSourceFolder(folder, undefined, options.parts);
  const contents = new Map<string, Uint8Array>();
  try {
    const severities = (ofSite: Severities = {}) => ({ ...CHECK_SEVERITIES, ...ofSite, ...rules });
    const cache = pagePack && openPagePack(pagePack, `${compilerVersion()} check`);
    const how = { threads: 1, reportOnly: true, severities, cache };
    const build = await buildSite(folder, pageSink(contents), { ...how, ...options });
    cache?.write();
    const { diagnostics, ...counts } = build.report;
    const added = withSeverities(
      hints(wholeBuild(build), source, contents),
      severities(build.config.checks),
    );
    const findings = [...diagnostics, ...groupDiagnostics(sortFindings(added))];
    return { ...counts, durationMs: passedMs(), findings: sortFindings(findings) };
  } catch (error) {
    if (!(error instanceof DocentError) || error.code !== 'build_failed') throw error;
    return {
      pageCount: 0,
      failedPageCount: 0,
      fileCount: 0,
      durationMs: passedMs(),
      findings: [buildFault(error, STOPPED)],
    };
  }
}

const STOPPED = 'Correct it; the site cannot be published until then.';

/** Keeps pages by the hash of their content, as every build does, and discards everything else. */
function pageSink(contents: Map<string, Uint8Array>): FileSink {
  return {
    async add(bytes, type) {
      const file = describeFile(bytes, type);
      if (type === PAGE_TYPE) contents.set(file.sha256, bytes);
      return file;
    },
  };
}

function hints(
  build: SiteBuild,
  source: SourceTree,
  contents: ReadonlyMap<string, Uint8Array>,
): Diagnostic[] {
  const texts = textsOf(source);
  const pageFiles = new Set(build.pages.map((page) => page.file));
  const snippets = [...texts.keys()].filter(
    (file) => /\.mdx?$/i.test(file) && !pageFiles.has(file),
  );
  const diagnostics = [...pageFiles, ...snippets].flatMap((file) =>
    accessibilityOf(file, texts.get(file), pageFiles.has(file)),
  );
  const files = Object.keys(build.files).filter((path) => !path.startsWith('_docent/'));
  diagnostics.push(...unusedFiles(files, snippets, texts));
  diagnostics.push(...unlistedPages(reachPages(build, contents)));
  return diagnostics;
}

const TEXT_FILE = /\.(?:mdx?|json|ya?ml|[jt]sx?|css|html|svg)$/i;
const MAX_TEXT_LENGTH = 5_000_000;

/** Returns every source text that may refer to another file, except ignored ones. */
function textsOf(source: SourceTree): Map<string, string> {
  const { isIgnored } = readIgnoreRules(source, readComposedSources(source.readText(SOURCES_FILE)));
  const texts = new Map<string, string>();
  for (const path of source.paths()) {
    if (!TEXT_FILE.test(path) || isIgnored(path)) continue;
    const text = source.readText(path);
    if (text !== undefined && text.length <= MAX_TEXT_LENGTH) texts.set(path, text);
  }
  return texts;
}

function accessibilityOf(file: string, text: string | undefined, isPage: boolean): Diagnostic[] {
  if (text === undefined) return [];
  const { body, bodyLine, yaml } = splitFrontmatter(text);
  const isMarkdown = file.endsWith('.md');
  const parsed = parseSource(body, {
    math: true,
    isMarkdown,
    isComponent: (name) => components.has(name),
  });
  const hasTitle =
    isPage &&
    /^title\s*:/m.test(yaml ?? '') &&
    !/^mode\s*:\s*["']?(?:custom|frame|assistant)\b/m.test(yaml ?? '');
  return checkAccessibility({ file, root: parsed.root, lineOffset: bodyLine - 1, hasTitle });
}

function reachPages(build: SiteBuild, contents: ReadonlyMap<string, Uint8Array>) {
  const facts = pageFacts(build.navigation);
  return build.pages.map((page: BuiltPage) => {
    const bytes = contents.get(page.content.sha256);
    return {
      ...page,
      inNavigation: facts.has(page.path),
      isHidden: page.noindex === true || page.externalUrl !== undefined,
      content: bytes && readStoredPage(bytes),
    };
  });
}
