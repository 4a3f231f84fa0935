import { hash } from 'node:crypto';
import type { FileEntry, PageContent, SiteBuild } from '@docent/format/build/site-build.ts';
import { withSeverities } from '@docent/format/check/severities.ts';
import type { IconSource } from '@docent/format/content/page/page-renderer.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import { SearchIndexBuilder } from '@docent/search/load/build-search-index.ts';
import { createIconSource } from '../assets/icons.ts';
import { drawSiteIcons } from '../assets/site-icons.ts';
import type { BuildOptions } from '../build-site.ts';
import { withApiOverlays } from '../descriptions/overlaid-source.ts';
import { codeThemeStyle } from '../highlight/code-theme.ts';
import {
  type FetchOutside,
  type OutsideText,
  outsideDiagnostics,
  readWithOutside,
  withOutsideTexts,
} from '../outside/outside.ts';
import { fingerprintOf } from '../page-cache/recorder.ts';
import type { PagePack } from '../pages/page-pack.ts';
import { isSearchable, searchPage } from '../pages/search-documents.ts';
import {
  AnchorCheck,
  composeSite,
  PageHarvest,
  readSiteCode,
  type SiteCode,
} from '../pages/site-parts.ts';
import { PAGE_TYPE, readStoredPage } from '../pages/stored-page.ts';
import { buildFault } from '../site/build-fault.ts';
import type { SiteModel } from '../site/site-model.ts';
import { DevPages, ModelReader } from './dev-pages.ts';
import { type ChangeHints, DevFiles, DevSource, type SourceChanges } from './dev-source.ts';

/**
 * How a change of the folder affects open pages: nothing visible; page content may differ; or the
 * configuration or a script changed, so that browsers must reload.
 */
export type DevChange = 'none' | 'pages' | 'site';

/** What all pages share, as long as neither the configuration nor the files change. */
interface Base {
  model: SiteModel;
  code: SiteCode;
  files: Record<string, FileEntry>;
  icons: Record<string, string>;
  diagnostics: Diagnostic[];
  id: string;
}

const encoder = new TextEncoder();
/** How long a file may be missing or empty while an editor saves it. */
const SAVING_MS = 40;

interface DevSiteOptions extends Pick<BuildOptions, 'fetchOutside' | 'gitFacts' | 'parts'> {
  /** The pages of the last build, which this site closes when it has compiled all pages. */
  pack?: PagePack | undefined;
  /** Groups of the reader who sees the site; absent: nobody in particular. */
  groups?: readonly string[] | undefined;
}

/**
 * The site of a folder that its author is editing. Equals a build of the folder, but is built on
 * demand. If the folder cannot be built, the site stays as it was and `fault` gives the reason.
 */
export class DevSite {
  readonly source: DevSource;
  readonly files: DevFiles;
  readonly #pages: DevPages;
  readonly #reader: ModelReader;
  readonly #fetchOutside: FetchOutside | undefined;
  /** Content fetched from URLs; once, until the command ends. */
  readonly #outside = new Map<string, OutsideText>();
  readonly #icons: IconSource = createIconSource();
  #base: Base | undefined;
  readonly #harvest: PageHarvest;
  /**
   * The last valid state of the site; undefined if there was none yet. A new object whenever
   * anything in it changes.
   */
  build: SiteBuild | undefined;
  /** Why the site does not reflect the current content of the folder. */
  fault: Diagnostic | undefined;
  /** The files of the last change. */
  changedFiles: readonly string[] = [];
  #anchorFaults: readonly Diagnostic[] = [];
  #searchIndex: Uint8Array | undefined;

  private constructor(
    folder: string,
    { fetchOutside, gitFacts, parts, pack, groups }: DevSiteOptions,
  ) {
    this.#pages = new DevPages(pack);
    this.#reader = new ModelReader(groups);
    this.source = new DevSource(folder, gitFacts, parts);
    this.files = new DevFiles(this.source);
    this.#fetchOutside = fetchOutside;
    this.#harvest = new PageHarvest(this.source);
  }

  static async open(folder: string, options: DevSiteOptions = {}): Promise<DevSite> {
    const site = new DevSite(folder, options);
    await site.#revise(() => undefined);
    return site;
  }

  /** Checks the paths that may have changed in the folder. One call at a time. */
  async change(hints: ChangeHints): Promise<DevChange> {
    if (hints !== 'anything' && [...hints].some((path) => this.source.isBeingWritten(path))) {
      await new Promise((resolve) => setTimeout(resolve, SAVING_MS));
    }
    return this.#revise(() => this.source.refresh(hints));
  }

  async #revise(look: () => SourceChanges | undefined): Promise<DevChange> {
    const before = this.#base;
    const hadFault = this.fault !== undefined;
    try {
      const change = await this.#pages.whileResting(async () => {
        const changes = look();
        this.changedFiles = [...(changes?.changed ?? [])];
        return changes?.changed.size === 0 ? 'none' : this.#takeModel(changes);
      });
      if (change === 'none') return change;
      this.fault = undefined;
      if (this.#base !== before) await this.#compose();
      return change;
    } catch (error) {
      this.fault = siteFault(error);
      return hadFault || this.build ? 'pages' : 'site';
    }
  }

  async #takeModel(changes: SourceChanges | undefined): Promise<DevChange> {
    const old = this.#base;
    // The texts that were fetched in the meantime may concern the whole model.
    let pendingChanges = changes;
    const model = await readWithOutside(this.source, this.#outside, this.#fetchOutside, (tree) => {
      const read = this.#reader.read(tree, pendingChanges);
      pendingChanges = undefined;
      return read;
    });
    this.#pages.begin(
      withApiOverlays(withOutsideTexts(this.source, this.#outside), model.apiOverlays),
      model,
    );
    this.#searchIndex = undefined;
    const isServed = new Set(model.assets);
    if (old?.model === model && changes && changes.changed.isDisjointFrom(isServed)) return 'pages';
    const base = this.#makeBase(model);
    this.#base = base;
    if (!old) return 'site';
    const isSame = (of: (base: Base) => unknown) =>
      fingerprintOf(of(old)) === fingerprintOf(of(base));
    const isSameSite =
      isSame((siteBase) => siteBase.model.config) &&
      isSame((siteBase) => siteBase.code.scripts.map((path) => siteBase.files[path]));
    return isSameSite ? 'pages' : 'site';
  }

  #makeBase(model: SiteModel): Base {
    // The author's own browser may call other servers; a build copies what it loads from there.
    const code = readSiteCode(model, this.source, (address) => address);
    const { files, diagnostics } = this.files.entriesOf(model.assets, code);
    return {
      model,
      code,
      files,
      icons: drawSiteIcons(model, this.#icons, diagnostics),
      diagnostics: [
        ...model.diagnostics,
        ...outsideDiagnostics(this.#outside, model, this.source),
        ...code.diagnostics,
        ...diagnostics,
      ],
      id: fingerprintOf([
        model.config,
        model.navigation,
        model.pages,
        code.scripts.map((path) => files[path]),
      ]),
    };
  }

  /** Assembles the manifest: the base, and the contributions of the pages compiled so far. */
  async #compose(): Promise<void> {
    const base = this.#base;
    if (!base) return;
    const harvest = this.#harvest;
    const files = { ...base.files };
    for (const [path, text] of harvest.scripts)
      files[path] = this.files.add(encoder.encode(text), 'text/javascript; charset=utf-8');
    const madeStyles = await harvest.storeUtilities(base.model.config, files, (bytes, type) =>
      this.files.add(bytes, type),
    );
    const composedSite = composeSite(base.model, {
      contentOf: (path) => ({ sha256: hash('sha256', path), sizeBytes: 0, type: PAGE_TYPE }),
      harvest,
      code: base.code,
      files,
      madeStyles,
      icons: base.icons,
      codeThemeStyle: await codeThemeStyle(base.model.config.codeblocks.theme),
      searchIndex: {
        sha256: hash('sha256', `search ${base.id}`),
        sizeBytes: 0,
        type: 'application/octet-stream',
      },
    });
    const counts = {
      pageCount: base.model.pages.length,
      failedPageCount: 0,
      fileCount: Object.keys(files).length,
    };
    const report = { ...counts, durationMs: 0, diagnostics: [] };
    this.build = { ...composedSite, id: base.id, report };
  }

  /** Compiles a page, so that `build` has everything that the page needs. */
  async prepare(pagePath: string): Promise<void> {
    const result = await this.#pages.get(pagePath);
    if (result && this.#harvest.add(pagePath, result)) await this.#compose();
  }

  async pageContent(pagePath: string): Promise<PageContent | undefined> {
    const result = await this.#pages.get(pagePath);
    return result && readStoredPage(result.content);
  }

  /**
   * Compiles the pages not yet requested, so that all problems are known. @returns whether it
   * finished
   */
  async makeAll(): Promise<boolean> {
    const isDone = await this.#pages.makeAll();
    if (!isDone) return false;
    const check = new AnchorCheck();
    for (const page of this.#base?.model.pages ?? []) {
      const result = this.#pages.peek(page.path);
      if (result) check.add(page.href, result);
    }
    this.#anchorFaults = check.diagnostics();
    // An index that was built in the meantime lacks pages.
    this.#searchIndex = undefined;
    return true;
  }

  /** The search index of the pages compiled so far. */
  searchIndex(): Uint8Array {
    this.#searchIndex ??= this.#makeIndex(this.#base?.model);
    return this.#searchIndex;
  }

  #makeIndex(model: SiteModel | undefined): Uint8Array {
    const builder = new SearchIndexBuilder();
    for (const page of model?.pages ?? []) {
      const facts = model?.facts.get(page.path);
      const terms = this.#pages.peek(page.path)?.terms;
      if (terms && isSearchable(page, facts, model?.config.seo.indexing ?? 'navigable'))
        builder.add(searchPage(page, facts), terms);
    }
    return builder.toBytes();
  }

  /** All known problems, first the one that prevents the build. */
  diagnostics(): Diagnostic[] {
    const ofPages = [...this.#pages.known()].flatMap((page) => page.diagnostics);
    return withSeverities(
      [
        ...(this.fault ? [this.fault] : []),
        ...(this.#base?.diagnostics ?? []),
        ...ofPages,
        ...this.#anchorFaults,
      ],
      this.#base?.model.config.checks,
    );
  }

  /** Problems found when the page was compiled, in any file. */
  diagnosticsOf(pagePath: string): readonly Diagnostic[] {
    return withSeverities(
      this.#pages.peek(pagePath)?.diagnostics ?? [],
      this.#base?.model.config.checks,
    );
  }
}

const LINES_AROUND = 3;
/**
 * Longer lines are truncated in an excerpt; a minified file's single line would fill the screen.
 */
const MAX_LINE_LENGTH = 240;

/** A diagnostic with the lines that it refers to. */
export interface DevProblem extends Diagnostic {
  excerpt?: ExcerptLine[];
}

interface ExcerptLine {
  line: number;
  text: string;
  /** Whether this is the line of the diagnostic. */
  marked: boolean;
}

/** Adds the surrounding source lines to a diagnostic. */
export function withExcerpt(
  diagnostic: Diagnostic,
  readText: (path: string) => string | undefined,
): DevProblem {
  const { file, line } = diagnostic;
  if (line === undefined) return diagnostic;
  let lines: string[] | undefined;
  try {
    lines = readText(file)?.split(/\r\n|\n|\r/);
  } catch {
    // The file itself may be the problem.
  }
  if (!lines) return diagnostic;
  const first = Math.max(1, line - LINES_AROUND);
  const excerpt = lines.slice(first - 1, line + LINES_AROUND).map((lineText, index) => ({
    line: first + index,
    text: lineText.length > MAX_LINE_LENGTH ? `${lineText.slice(0, MAX_LINE_LENGTH)}…` : lineText,
    marked: first + index === line,
  }));
  return { ...diagnostic, excerpt };
}

/**
 * Converts an error that prevents the build of the whole site to a diagnostic. For any cause, the
 * author keeps the previous site.
 */
function siteFault(error: unknown): Diagnostic {
  if (!(error instanceof DocentError)) {
    const message = `The site could not be built: ${errorMessage(error)}.`;
    const remedy = 'If the files are correct, report this as a bug.';
    return { severity: 'error', code: 'internal-error', message, remedy, file: '' };
  }
  return buildFault(error, 'Correct this and save; the previous version stays until then.');
}
