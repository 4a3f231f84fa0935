import type { FileEntry } from '@docent/format/build/site-build.ts';
import type { AnchorLink } from '@docent/format/content/page/page-anchors.ts';
import { allHtml } from '@docent/format/content/page/personal-page.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import {
  mayNameOutside,
  type OutsidePicture,
  outsidePictures,
} from '@docent/format/outside/page-pictures.ts';
import type { PageTerms, TermReader } from '@docent/search/load/page-terms.ts';
import { describeFile } from '../files/file-sink.ts';
import type { Answers } from '../page-cache/recorder.ts';
import type { TrackedPage } from './compile-site-page.ts';
import { searchSections } from './search-documents.ts';
import { PAGE_TYPE, writeStoredPage } from './stored-page.ts';

/**
 * A compiled page in the form that is passed between threads and kept for the next build: its body
 * is already bytes. Everything in it must survive `structuredClone`.
 */
export interface PageResult {
  /** Index in `SiteModel.pages`. */
  index: number;
  /** Whether it is from an earlier build. */
  isKept?: true;
  /** The page as `writeStoredPage` stores it. */
  content: Uint8Array<ArrayBuffer>;
  file: FileEntry;
  /** What the search index has of its text; absent if no index is built. */
  terms?: PageTerms;
  /** Names the terms by their content; set by what keeps the page. */
  termsKey?: string;
  /** Ids on the page. */
  anchors: string[];
  /** Links to anchors of other pages; they are checked when all pages are known. */
  anchorLinks: AnchorLink[];
  diagnostics: Diagnostic[];
  failed: boolean;
  /** Class names of the page, for the utility styles. */
  classNames: string[];
  /** What it shows from other servers. */
  outside: OutsidePicture[];
  /** Whether it contains changelog entries. */
  hasFeed: boolean;
  /** Whether it differs between readers. */
  isPersonal: boolean;
  /** Scripts of the components that the page uses, by path among the files of the build. */
  files: { path: string; text: string }[];
  /**
   * The page's dependencies. As long as the site gives the same answers, compiling would give this
   * result.
   */
  answers: Answers;
}

/** @param reader if an index is built */
export function toPageResult(
  index: number,
  path: string,
  { compiled, answers }: TrackedPage,
  reader: TermReader | undefined,
): PageResult {
  const { aside, personal } = compiled.content;
  const html = compiled.content.html + allHtml(personal);
  const isSelfContained = !mayNameOutside(html) && !mayNameOutside(aside);
  const content = writeStoredPage(
    isSelfContained ? { ...compiled.content, isSelfContained } : compiled.content,
  );
  const { sections, anchors, anchorLinks, diagnostics, classNames = [] } = compiled;
  return {
    index,
    content,
    file: describeFile(content, PAGE_TYPE),
    // They are kept until the site is built; as slices of the page's text they would retain all of
    // it.
    ...structuredClone({ anchors, anchorLinks, diagnostics, classNames }),
    ...(reader && { terms: reader.read(path, searchSections(sections)) }),
    failed: compiled.failed,
    files: compiled.files ?? [],
    outside: isSelfContained ? [] : [...outsidePictures(html), ...outsidePictures(aside)],
    hasFeed: compiled.content.elements.includes('docent-update'),
    isPersonal: personal !== undefined,
    answers,
  };
}

/** Errors that a retry may not have: they depend on the machine's current state. */
export const PASSING_FAULTS: ReadonlySet<string> = new Set([
  'slow-code',
  'island-failed',
  'page-failed',
]);

/**
 * Returns whether compiling the page again would give the same result. A page that ran out of time
 * may succeed next time.
 */
export function isRepeatable({ diagnostics }: PageResult): boolean {
  return !diagnostics.some((diagnostic) => PASSING_FAULTS.has(diagnostic.code));
}
