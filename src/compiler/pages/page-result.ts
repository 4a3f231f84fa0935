import type { AnchorLink } from '../../core/content/page-anchors.ts';
import type { ContentSection } from '../../core/content/page-content.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { type OutsidePicture, outsidePictures } from '../../core/outside/page-pictures.ts';
import type { FileEntry } from '../../core/site-build.ts';
import { describeFile } from '../bundle/file-sink.ts';
import type { Answers } from '../page-cache/recorder.ts';
import type { TrackedPage } from './compile-site-page.ts';

/**
 * A compiled page in the form that crosses threads and is kept for the next build: its body is bytes already. Whatever it
 * holds must survive `structuredClone`.
 */
export interface PageResult {
  /** Index in `SiteModel.pages`. */
  index: number;
  /** Whether it is of an earlier build. */
  isKept?: true;
  content: Uint8Array<ArrayBuffer>;
  file: FileEntry;
  sections: ContentSection[];
  /** Ids on the page. */
  anchors: string[];
  /** Links to places on other pages; whether those are there is known when all pages are. */
  anchorLinks: AnchorLink[];
  diagnostics: Diagnostic[];
  failed: boolean;
  /** Class names of the page, for the utility styles. */
  classNames: string[];
  /** What it shows of other servers. */
  outside: OutsidePicture[];
  /** Whether it holds entries of a changelog. */
  hasFeed: boolean;
  /** Scripts of the components that the page calls, by their path among the files of the build. */
  files: { path: string; text: string }[];
  /** What the page was made of. While the site gives the same answers, this is what compiling it would give. */
  answers: Answers;
}

const encoder = new TextEncoder();

export function toPageResult(index: number, { compiled, answers }: TrackedPage): PageResult {
  const content = encoder.encode(JSON.stringify(compiled.content));
  const { sections, anchors, anchorLinks, diagnostics, classNames = [] } = compiled;
  return {
    index,
    content,
    file: describeFile(content, 'application/json'),
    // They are kept until the site is made, and as pieces of the page's text they would keep all of it.
    ...structuredClone({ sections, anchors, anchorLinks, diagnostics, classNames }),
    failed: compiled.failed,
    files: compiled.files ?? [],
    outside: [...outsidePictures(compiled.content.html), ...outsidePictures(compiled.content.aside)],
    hasFeed: compiled.content.elements.includes('docent-update'),
    answers,
  };
}

/** Faults that another try may not have: they are of this machine at this moment. */
const PASSING_FAULTS: ReadonlySet<string> = new Set(['slow-code', 'island-failed', 'page-failed']);

/** Whether compiling the page once more would give the same. A page that ran out of time may do better the next time. */
export function isRepeatable({ diagnostics }: PageResult): boolean {
  return !diagnostics.some((one) => PASSING_FAULTS.has(one.code));
}
