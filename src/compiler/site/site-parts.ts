import type { FileEntry, SiteBuild } from '../../core/site-build.ts';
import { collectSourceWords } from '../../core/site-files/class-names.ts';
import type { SiteCode } from '../assets/site-code.ts';
import { builtPage } from '../pages/built-page.ts';
import type { PageResult } from '../pages/page-result.ts';
import type { SourceTree } from '../source/source-tree.ts';
import type { SiteModel } from './site-model.ts';

/** What single pages contribute to the whole site. */
export class PageHarvest {
  /** Class names for the utility styles. */
  readonly classNames: Set<string>;
  /** Scripts of components, by path among the files of the build. */
  readonly scripts = new Map<string, string>();
  /** Paths of the pages with changelog entries. */
  readonly feeds = new Set<string>();

  /**
   * The words of the repository's components and scripts are included from the start: they may become class names only in the
   * browser.
   */
  constructor(source: SourceTree) {
    this.classNames = new Set<string>();
    for (const path of source.paths()) {
      if (/\.(?:[jt]sx|js)$/i.test(path)) collectSourceWords(source.readText(path) ?? '', this.classNames);
    }
  }

  /** Adds the contributions of a page. @returns whether any of them is new */
  add(pagePath: string, { classNames, files, hasFeed }: PageResult): boolean {
    const before = this.classNames.size + this.scripts.size + this.feeds.size;
    for (const name of classNames) this.classNames.add(name);
    for (const { path, text } of files) this.scripts.set(path, text);
    if (hasFeed) this.feeds.add(pagePath);
    return this.classNames.size + this.scripts.size + this.feeds.size > before;
  }
}

/** The parts of a build that depend on more than the model. */
export interface SiteParts {
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
    formatVersion: 1,
    config: model.config,
    navigation: model.navigation,
    pages: model.pages.map((page) =>
      builtPage(page, {
        config: model.config,
        facts: model.facts.get(page.path),
        content: parts.contentOf(page.path),
        hasFeed: harvest.feeds.has(page.path),
      }),
    ),
    files,
    styles: [...parts.madeStyles, ...code.styles].filter(isServed),
    scripts: code.scripts.filter(isServed),
    ...(code.scriptHosts.length > 0 && { scriptHosts: code.scriptHosts }),
    icons: parts.icons,
    codeThemeStyle: parts.codeThemeStyle,
    ...(model.assistantInstructions !== undefined && { assistantInstructions: model.assistantInstructions }),
    ...(model.skills && { skills: model.skills }),
    searchIndex: parts.searchIndex,
  };
}

/** Name of a generated style sheet; it contains its hash. */
export function generatedStylePath(name: string, entry: FileEntry): string {
  return `_docent/${name}-${entry.sha256.slice(0, 10)}.css`;
}
