import { createHash } from 'node:crypto';
import { otherSliceFolders } from '@docent/format/build/default-slice.ts';
import type { FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import { countAudiences } from '@docent/format/build/visible-build.ts';
import { type Severities, withSeverities } from '@docent/format/check/severities.ts';
import { type Diagnostic, groupDiagnostics, sortFindings } from '@docent/format/diagnostics.ts';
import { mediaTypeOf, refuseLargeAsset } from '@docent/format/media-types.ts';
import { QUESTION_FILE } from '@docent/format/questions/question-file.ts';
import { wholeOf } from '@docent/search/index/index-format.ts';
import { createIconSource } from './assets/icons.ts';
import { drawSiteIcons } from './assets/site-icons.ts';
import { withApiOverlays } from './descriptions/overlaid-source.ts';
import type { FileSink } from './files/file-sink.ts';
import { codeThemeStyle } from './highlight/code-theme.ts';
import {
  type FetchOutside,
  type OutsideText,
  outsideDiagnostics,
  readWithOutside,
  withOutsideTexts,
} from './outside/outside.ts';
import { COMPILING, type CompilePagesOptions, compilePages } from './pages/compile-pages.ts';
import { FileUsers } from './pages/file-users.ts';
import { publicPart, SitePart, withRestricted } from './pages/restricted-content.ts';
import { SiteOutside } from './pages/site-outside.ts';
import { AnchorCheck, composeSite, readSiteCode, type SiteCode } from './pages/site-parts.ts';
import { askQuestions } from './site/ask-questions.ts';
import { originOf, type PagePlan } from './site/page-plans.ts';
import { readPageFile, readSiteModel, type SiteModel } from './site/site-model.ts';
import type { SourcePart } from './source/folder-files.ts';
import { envFiles, keyFiles, possibleSecret, refuseSecret } from './source/refuse-secrets.ts';
import { openSourceFolder, type SourceTree, watchReads } from './source/source-tree.ts';

export interface BuildOptions extends Omit<CompilePagesOptions, 'source' | 'folder' | 'outside'> {
  onProgress?: (pagesDone: number, pagesTotal: number) => void;
  /** Fetches what the source refers to by URL; if absent, nothing is fetched. */
  fetchOutside?: FetchOutside | undefined;
  /** As in `openSourceFolder`. */
  gitFacts?: string | undefined;
  /** As in `openSourceFolder`. */
  parts?: readonly SourcePart[] | undefined;
  /** Asks the questions of the repository, and reports the results. */
  asksQuestions?: boolean | undefined;
  /**
   * Whether readers can sign in to the site: then it has restricted pages, in a part of their own.
   */
  canSignIn?: boolean | undefined;
  /** Returns the severities to report with, from those of the site; by default, those. */
  severities?: (ofSite: Severities) => Severities;
}

/**
 * Builds a whole site from a source folder into immutable files.
 * @param folder the content root, which contains `docs.json`
 * @param sink receives every file of the build
 * @throws DocentError `build_failed` if the configuration cannot be used; problems of single pages
 *   are in the report
 */
export async function buildSite(
  folder: string,
  sink: FileSink,
  options: BuildOptions,
): Promise<SiteBuild> {
  const startedAt = performance.now();
  const { enter, onRead } = watchStages(options.onWork);
  enter('reading the configuration, the pages and the API descriptions');
  const { gitFacts, parts } = options;
  const values = options.cache?.values;
  const files = watchReads(openSourceFolder(folder, gitFacts, parts, values), onRead);
  const readPage = (text: string, file: string) =>
    values
      ? values.of(`page ${file}`, text, () => readPageFile(text, file))
      : readPageFile(text, file);
  const outside = new Map<string, OutsideText>();
  const model = await readWithOutside(files, outside, options.fetchOutside, (tree) =>
    readSiteModel(tree, readPage, options.canSignIn ? 'all' : 'none'),
  );
  const publicModel = options.canSignIn
    ? publicPart(model, withOutsideTexts(files, outside))
    : model;
  const source = withApiOverlays(withOutsideTexts(files, outside), model.apiOverlays);
  const diagnostics = [...model.diagnostics, ...outsideDiagnostics(outside, model, source)];

  enter('drawing icons');
  const iconSource = createIconSource();
  const icons = drawSiteIcons(model, iconSource, diagnostics);
  const outsideSite = { model, source, icons, iconSource };
  const siteOutside = options.reportOnly
    ? undefined
    : new SiteOutside(outsideSite, sink, options.fetchOutside);
  const partOptions = { isReportOnly: options.reportOnly === true, kept: options.cache };
  const whole = new SitePart(model, source, partOptions);
  const open = publicModel === model ? whole : new SitePart(publicModel, source, partOptions);
  const users = options.canSignIn && !options.reportOnly ? new FileUsers() : undefined;
  const contents = new Map<string, FileEntry>();
  let failedPageCount = 0;
  let pagesDone = 0;
  const anchorCheck = new AnchorCheck();
  enter(COMPILING);
  for await (const result of compilePages(model, { source, folder, outside, ...options })) {
    const page = model.pages[result.index] as PagePlan;
    // Before the sink, which may take the bytes away.
    users?.add(page, result);
    contents.set(page.path, result.file);
    if (siteOutside && result.outside.length > 0)
      siteOutside.takePage(page.path, result, originOf(page));
    else if (result.isKept && sink.addKept)
      sink.addKept(result.file, keptContent(page.path, options.cache));
    else await sink.add(result.content, result.file.type, result.file.sha256);
    for (const part of new Set([whole, open])) part.add(page, result);
    diagnostics.push(...result.diagnostics);
    anchorCheck.add(page.href, result);
    if (result.failed) failedPageCount++;
    options.onProgress?.(++pagesDone, model.pages.length);
  }
  enter('checking links');
  diagnostics.push(...anchorCheck.diagnostics());

  enter('copying files from other servers');
  const settled = await siteOutside?.settle((path, file) => contents.set(path, file));
  diagnostics.push(...(siteOutside?.copies.diagnostics() ?? []));
  enter('preparing style sheets, scripts and other files');
  const code = readSiteCode(model, source, settled?.copyOf);
  diagnostics.push(...code.diagnostics);
  const served = await storeAssets(model, source, code, sink, diagnostics);
  for (const [path, file] of settled?.files ?? []) served[path] = file;
  for (const [path, text] of [...whole.harvest.scripts].sort()) {
    served[path] = await sink.add(new TextEncoder().encode(text), 'text/javascript; charset=utf-8');
  }
  users?.settle((address) => settled?.copyOf(address));
  const shared = new Map(
    [...code.styles, ...code.scripts].map((path) => [path, source.readText(path) ?? '']),
  );
  const audiences = users?.audiences(Object.keys(served), settled?.config ?? model.config, shared);
  const questionFile = options.asksQuestions ? source.readText(QUESTION_FILE) : undefined;
  const themeStyle = await codeThemeStyle(model.config.codeblocks.theme);
  let questions = NO_QUESTIONS;
  const compose = async (
    { model: partModel, harvest, search }: SitePart,
    files: Record<string, FileEntry>,
  ) => {
    enter('generating utility classes');
    const utilities = options.reportOnly
      ? []
      : await harvest.storeUtilities(
          partModel.config,
          files,
          (bytes, type) => sink.add(bytes, type),
          values,
        );
    enter('building the search index');
    const index = search.finish();
    if (questionFile !== undefined && partModel === model) {
      enter('asking questions');
      questions = await askQuestions(questionFile, model, wholeOf(index));
    }
    const searchIndex = await (sink.addSearchIndex?.(index, INDEX_TYPE) ??
      sink.add(wholeOf(index), INDEX_TYPE));
    search.close();
    const config = settled && { ...settled.config, redirects: partModel.config.redirects };
    return composeSite(config ? { ...partModel, config } : partModel, {
      contentOf: (path) => contents.get(path) as FileEntry,
      harvest,
      code,
      files,
      madeStyles: [...(settled?.styles ?? []), ...utilities],
      icons: settled?.icons ?? icons,
      codeThemeStyle: themeStyle,
      searchIndex,
    });
  };
  const content = await withRestricted(whole, open, { served, audiences, compose, iconSource });
  diagnostics.push(...questions.diagnostics);
  const { checks = {} } = model.config;
  const counts = countAudiences(content);
  const rules = options.severities?.(checks) ?? checks;
  return {
    ...content,
    id: createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32),
    report: {
      pageCount: model.pages.length,
      failedPageCount,
      ...(counts && { audiences: counts }),
      fileCount: Object.keys(served).length,
      ...(questions.report && { questions: questions.report }),
      durationMs: Math.round(performance.now() - startedAt),
      diagnostics: groupDiagnostics(
        sortFindings(withSeverities(diagnostics, rules)),
        otherSliceFolders(model.navigation),
      ),
    },
  };
}

const INDEX_TYPE = 'application/octet-stream';
const NO_QUESTIONS: Awaited<ReturnType<typeof askQuestions>> = { diagnostics: [] };

/**
 * Reads a page from the cache again: keeping its result until it is needed would keep those of all
 * pages in memory.
 */
function keptContent(path: string, cache: BuildOptions['cache']): () => Uint8Array {
  return () => {
    const kept = cache?.find(path);
    if (!kept) throw new Error(`The page ${path} is not in the cache any more.`);
    return kept.content;
  };
}

/**
 * Reports the current stage of a build and the file being read. Pages report themselves, regardless
 * of the files that they read.
 */
function watchStages(onWork: BuildOptions['onWork']) {
  let stage = '';
  return {
    enter(next: string) {
      stage = next;
      if (stage !== COMPILING) onWork?.({ stage });
    },
    onRead(file: string) {
      if (stage !== COMPILING) onWork?.({ stage, file });
    },
  };
}

async function storeAssets(
  model: SiteModel,
  source: SourceTree,
  code: SiteCode,
  sink: FileSink,
  diagnostics: Diagnostic[],
): Promise<Record<string, FileEntry>> {
  const settings = [...envFiles(source), ...keyFiles(source)];
  diagnostics.push(...settings);
  const refused = new Set(settings.map((setting) => setting.file));
  const files: [string, FileEntry][] = [];
  for (const path of model.assets) {
    const bytes = code.prepared.get(path) ?? source.readBytes(path);
    if (bytes === undefined || refused.has(path)) continue;
    const type = mediaTypeOf(path) ?? 'application/octet-stream';
    const refusal = refuseLargeAsset(path, bytes.byteLength) ?? refuseSecret(path, bytes, type);
    const problem = refusal ?? possibleSecret(path, bytes, type);
    if (problem) diagnostics.push(problem);
    if (refusal) continue;
    files.push([path, await sink.add(bytes, type)]);
  }
  return Object.fromEntries(files);
}
