import type { FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import { STORED_FORMS } from '@docent/format/build/stored-forms.ts';
import {
  type AnchorLink,
  anchorRemedy,
  hasAnchor,
} from '@docent/format/content/page/page-anchors.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { sourceRoot } from '@docent/format/docs-json/site-sources.ts';
import { collectSourceWords } from '@docent/format/site-files/class-names.ts';
import { judgePageScript } from '@docent/format/site-files/page-script.ts';
import { prepareStyleSheet, type StyleSheetPlace } from '@docent/format/site-files/style-sheet.ts';
import { utilityStyles } from '../assets/utility-styles.ts';
import type { SiteModel } from '../site/site-model.ts';
import type { KeptValues } from '../source/kept-values.ts';
import type { SourceTree } from '../source/source-tree.ts';
import { builtPage } from './built-page.ts';
import type { PageResult } from './page-result.ts';

/**
 * CSS and JavaScript of the repositories, in path order. Every page includes that of the base
 * source, and the pages of another one also its own (`codeForPage`).
 */
export interface SiteCode {
  styles: string[];
  scripts: string[];
  /** Hosts that the scripts load code from, as allowed by their authors. */
  scriptHosts: string[];
  /** Style sheets as served, if that differs from the source. */
  prepared: Map<string, Uint8Array<ArrayBuffer>>;
  diagnostics: Diagnostic[];
}

const encoder = new TextEncoder();

/**
 * Reads every `.css` and `.js` among the files that the site serves.
 * @param copyOf returns the local copy of a file on another server that a style sheet loads;
 *   without it, such files are omitted
 */
export function readSiteCode(
  model: Pick<SiteModel, 'assets'> & { config: Pick<SiteModel['config'], 'sources'> },
  source: SourceTree,
  copyOf: StyleSheetPlace['copyOf'] = () => undefined,
): SiteCode {
  const code: SiteCode = {
    styles: [],
    scripts: [],
    scriptHosts: [],
    prepared: new Map(),
    diagnostics: [],
  };
  const assets = new Set(model.assets);
  for (const file of [...model.assets].sort()) {
    const kind = /\.(?:css|js)$/i.exec(file)?.[0].toLowerCase();
    const text = kind === undefined ? undefined : source.readText(file);
    if (!text?.trim()) continue;
    if (kind === '.css') {
      const { text: prepared, diagnostics } = prepareStyleSheet(text, {
        file,
        root: sourceRoot(model.config.sources, file),
        hasFile: (path) => assets.has(path),
        readText: (path) => source.readText(path),
        copyOf,
      });
      if (prepared !== text) code.prepared.set(file, encoder.encode(prepared));
      code.diagnostics.push(...diagnostics);
      code.styles.push(file);
    } else {
      const { runs, hosts = [], diagnostic } = judgePageScript(text, file);
      if (diagnostic) code.diagnostics.push(diagnostic);
      if (runs) code.scripts.push(file);
      for (const host of hosts) if (!code.scriptHosts.includes(host)) code.scriptHosts.push(host);
    }
  }
  return code;
}

/**
 * Finds links to anchors that their target page does not have. Pages are added as they are
 * compiled, in any order.
 */
export class AnchorCheck {
  readonly #pages = new Map<string, ReadonlySet<string>>();
  readonly #links: AnchorLink[] = [];

  /** @param href the address of the page as used in links */
  add(href: string, page: Pick<PageResult, 'anchors' | 'anchorLinks'>): void {
    this.#pages.set(href, new Set(page.anchors));
    this.#links.push(...page.anchorLinks);
  }

  /** Returns a warning for each broken anchor link, once per location. */
  diagnostics(): Diagnostic[] {
    const diagnosticsByLocation = new Map<string, Diagnostic>();
    for (const { path, id, file = '', line, column } of this.#links) {
      const anchors = this.#pages.get(path);
      if (!anchors || hasAnchor(anchors, id)) continue;
      diagnosticsByLocation.set(`${file}:${line}:${path}#${id}`, {
        severity: 'warning',
        code: 'broken-link',
        message: `The page "${path}" has no heading or id "#${id}".`,
        remedy: anchorRemedy(anchors, id),
        file,
        line,
        column,
      });
    }
    return [...diagnosticsByLocation.values()];
  }
}

/** What single pages contribute to the whole site. */
export class PageHarvest {
  /** Class names for the utility styles. */
  readonly classNames: Set<string>;
  /** Scripts of components, by path among the files of the build. */
  readonly scripts = new Map<string, string>();
  /** Paths of the pages with changelog entries. */
  readonly feeds = new Set<string>();
  /** Pages that differ between readers. */
  readonly personal = new Set<string>();

  /**
   * The words of the repository's components and scripts are included from the start: they may
   * become class names only in the browser.
   */
  constructor(source: SourceTree) {
    this.classNames = new Set<string>();
    for (const path of source.paths()) {
      if (/\.(?:[jt]sx|js)$/i.test(path))
        collectSourceWords(source.readText(path) ?? '', this.classNames);
    }
  }

  /** Adds the contributions of a page. @returns whether any of them is new */
  add(pagePath: string, { classNames, files, hasFeed, isPersonal }: PageResult): boolean {
    const before = this.#size();
    for (const name of classNames) this.classNames.add(name);
    for (const { path, text } of files) this.scripts.set(path, text);
    if (hasFeed) this.feeds.add(pagePath);
    if (isPersonal) this.personal.add(pagePath);
    return this.#size() > before;
  }

  #size(): number {
    return this.classNames.size + this.scripts.size + this.feeds.size + this.personal.size;
  }

  /**
   * Adds the style sheet with the utility classes of the pages to the files of a build, if they use
   * any.
   * @returns its path, which contains its hash
   */
  async storeUtilities(
    config: SiteConfig,
    files: Record<string, FileEntry>,
    add: (bytes: Uint8Array, type: string) => FileEntry | Promise<FileEntry>,
    kept?: KeptValues,
  ): Promise<string[]> {
    const css = await utilityStyles(this.classNames, config, kept);
    if (css === '') return [];
    const entry = await add(encoder.encode(css), 'text/css; charset=utf-8');
    const path = `_docent/utilities-${entry.sha256.slice(0, 10)}.css`;
    files[path] = entry;
    return [path];
  }
}

/** The parts of a build that depend on more than the model. */
interface SiteParts {
  contentOf: (pagePath: string) => FileEntry;
  harvest: PageHarvest;
  code: SiteCode;
  files: Record<string, FileEntry>;
  /** Keys of `files`: the style sheets that the build generated. */
  madeStyles: string[];
  icons: Record<string, string>;
  codeThemeStyle: string;
  searchIndex: FileEntry;
}

/** Assembles the manifest of a build. */
export function composeSite(model: SiteModel, parts: SiteParts): Omit<SiteBuild, 'id' | 'report'> {
  const { files, code, harvest } = parts;
  const isServed = (path: string) => Object.hasOwn(files, path);
  return {
    formatVersion: STORED_FORMS.build.writes,
    config: model.config,
    navigation: model.navigation,
    pages: model.pages.map((page) =>
      builtPage(page, {
        config: model.config,
        facts: model.facts.get(page.path),
        content: parts.contentOf(page.path),
        hasFeed: harvest.feeds.has(page.path),
        isPersonal: harvest.personal.has(page.path),
      }),
    ),
    files,
    styles: [...parts.madeStyles, ...code.styles].filter(isServed),
    scripts: code.scripts.filter(isServed),
    ...(code.scriptHosts.length > 0 && { scriptHosts: code.scriptHosts }),
    icons: parts.icons,
    codeThemeStyle: parts.codeThemeStyle,
    assistantInstructions: model.assistantInstructions,
    skills: model.skills,
    searchIndex: parts.searchIndex,
  };
}
