import type { SourceNode } from '../content/mdx/source-node.ts';
import type { Finding } from './finding.ts';
import { attributeOf, elementsOf, hasWords, type WrittenElement } from './source-elements.ts';

/** A page or snippet, parsed, as far as these checks read it. */
export interface CheckedSource {
  file: string;
  root: SourceNode;
  /** What to add to a line of `root` to get a line of the file. */
  lineOffset: number;
  /** Whether a title of the frontmatter stands above the text. */
  hasTitle: boolean;
}

const MAX_OF_A_KIND = 50;

/**
 * The basics of accessibility that a machine can decide on the source: alternative texts, the order of headings, links
 * and frames with names, tables with headers, ids that are there once.
 */
export function checkAccessibility(source: CheckedSource): Finding[] {
  const found: Finding[] = [];
  const counts = new Map<string, number>();
  const report = (element: WrittenElement, code: string, message: string, remedy: string) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count > MAX_OF_A_KIND) return;
    const { line, column } = element;
    const place = line === undefined ? {} : { line, column };
    found.push({ severity: 'warning', code, message, remedy, file: source.file, ...place });
  };
  const headings = new HeadingOrder(source.hasTitle, report);
  const ids = new Set<string>();
  for (const element of elementsOf(source.root, source.lineOffset)) {
    headings.visit(element);
    checkId(element, ids, report);
    if (element.name === 'img') checkImage(element, report);
    if (element.name === 'a') checkLink(element, report);
    if (element.name === 'iframe') checkFrame(element, report);
    if (element.name === 'table') checkTable(element, report);
  }
  return found;
}

type Report = (element: WrittenElement, code: string, message: string, remedy: string) => void;

/** An empty `alt` on a tag says "decoration"; in Markdown it was forgotten. */
function checkImage(element: WrittenElement, report: Report): void {
  const alt = attributeOf(element, 'alt');
  const isDecoration = ['presentation', 'none'].includes(String(attributeOf(element, 'role')));
  const isHidden = attributeOf(element, 'aria-hidden') !== undefined;
  if (alt === true || isDecoration || isHidden || (element.isTag && alt === '')) return;
  if (alt !== undefined && alt.trim() !== '') return;
  const example = element.isTag ? 'alt="What it shows", or alt="" for decoration' : '![What it shows](…)';
  report(element, 'image-without-text', 'The image has no alternative text.', `Say what it shows: ${example}.`);
}

function checkLink(element: WrittenElement, report: Report): void {
  const target = attributeOf(element, 'href');
  if (target === undefined || hasWords(element.node)) return;
  if (['aria-label', 'title'].some((name) => attributeOf(element, name) !== undefined)) return;
  report(element, 'empty-link', 'The link has no text.', 'Write a text that says where it leads.');
}

function checkFrame(element: WrittenElement, report: Report): void {
  if (attributeOf(element, 'title') !== undefined || attributeOf(element, 'aria-label') !== undefined) return;
  report(element, 'frame-without-title', 'The frame has no title.', 'Add title="…", which says what is in it.');
}

function checkTable(element: WrittenElement, report: Report): void {
  const cells = [...elementsOf(element.node, 0)];
  const headers = cells.filter((cell) => cell.name === 'th');
  if (!cells.some((cell) => cell.name === 'td') || headers.some((cell) => hasWords(cell.node))) return;
  report(element, 'table-without-header', 'The table has no header.', 'Name the columns in its first row.');
}

function checkId(element: WrittenElement, ids: Set<string>, report: Report): void {
  const id = attributeOf(element, 'id');
  if (typeof id !== 'string' || id === '') return;
  if (ids.has(id)) report(element, 'duplicate-id', 'The id is taken already on this page.', 'Give one of them another id.');
  ids.add(id);
}

/** The title of the page is the first level, so that the text starts with the second. */
class HeadingOrder {
  readonly #hasTitle: boolean;
  readonly #report: Report;
  #level: number;
  #firstCount = 0;

  constructor(hasTitle: boolean, report: Report) {
    this.#hasTitle = hasTitle;
    this.#report = report;
    this.#level = hasTitle ? 1 : 0;
  }

  visit(element: WrittenElement): void {
    const level = /^h([1-6])$/.exec(element.name)?.[1];
    if (level === undefined) return;
    const depth = Number(level);
    if (depth === 1) this.#visitFirst(element);
    if (this.#level > 0 && depth > this.#level + 1) {
      const message = `The heading is of level ${depth}, but the one above is of level ${this.#level}.`;
      this.#report(element, 'heading-skip', message, `Make it level ${this.#level + 1}: ${'#'.repeat(this.#level + 1)}.`);
    }
    this.#level = depth;
  }

  #visitFirst(element: WrittenElement): void {
    const isSecond = ++this.#firstCount + (this.#hasTitle ? 1 : 0) === 2;
    if (!isSecond) return;
    const above = this.#hasTitle ? 'the title in the frontmatter is one' : 'there is one above';
    this.#report(element, 'second-title', `A page has one heading of level 1; ${above}.`, 'Start sections with level 2: ##.');
  }
}
