import type { SourceNode } from '../content/nodes/source-node.ts';
import type { Diagnostic } from '../diagnostics.ts';

/** A parsed page or snippet, with the fields that these checks read. */
export interface CheckedSource {
  file: string;
  root: SourceNode;
  /** Offset from lines of `root` to lines of the file. */
  lineOffset: number;
  /** Whether a title of the frontmatter is shown above the text. */
  hasTitle: boolean;
}

const MAX_OF_A_KIND = 50;

/**
 * Checks the accessibility basics that can be decided from the source: alternative texts, heading
 * order, names of links and frames, table headers, unique ids.
 */
export function checkAccessibility(source: CheckedSource): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const counts = new Map<string, number>();
  const report = (element: WrittenElement, code: string, message: string, remedy: string) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count > MAX_OF_A_KIND) return;
    const { line, column } = element;
    const place = line === undefined ? {} : { line, column };
    diagnostics.push({ severity: 'warning', code, message, remedy, file: source.file, ...place });
  };
  const checkHeading = headingOrder(source.hasTitle, report);
  const ids = new Set<string>();
  for (const element of elementsOf(source.root, source.lineOffset)) {
    checkHeading(element);
    checkId(element, ids, report);
    if (element.name === 'img') checkImage(element, report);
    if (element.name === 'a') checkLink(element, report);
    if (element.name === 'iframe') checkFrame(element, report);
    if (element.name === 'table') checkTable(element, report);
  }
  return diagnostics;
}

type Report = (element: WrittenElement, code: string, message: string, remedy: string) => void;

/** An empty `alt` in a tag means "decoration"; in Markdown it was forgotten. */
function checkImage(element: WrittenElement, report: Report): void {
  const alt = attributeOf(element, 'alt');
  const isDecoration = ['presentation', 'none'].includes(String(attributeOf(element, 'role')));
  const isHidden = attributeOf(element, 'aria-hidden') !== undefined;
  if (alt === true || isDecoration || isHidden || (element.isTag && alt === '')) return;
  if (alt !== undefined && alt.trim() !== '') return;
  const example = element.isTag
    ? 'alt="What it shows", or alt="" for decoration'
    : '![What it shows](…)';
  report(
    element,
    'image-without-text',
    'The image has no alternative text.',
    `Describe the image: ${example}.`,
  );
}

function checkLink(element: WrittenElement, report: Report): void {
  const target = attributeOf(element, 'href');
  if (target === undefined || hasWords(element.node)) return;
  if (['aria-label', 'title'].some((name) => attributeOf(element, name) !== undefined)) return;
  report(
    element,
    'empty-link',
    'The link has no text.',
    'Add text that describes the link’s destination.',
  );
}

function checkFrame(element: WrittenElement, report: Report): void {
  if (
    attributeOf(element, 'title') !== undefined ||
    attributeOf(element, 'aria-label') !== undefined
  )
    return;
  report(
    element,
    'frame-without-title',
    'The frame has no title.',
    'Add title="…" to describe its content.',
  );
}

function checkTable(element: WrittenElement, report: Report): void {
  const cells = [...elementsOf(element.node, 0)];
  const headers = cells.filter((cell) => cell.name === 'th');
  if (!cells.some((cell) => cell.name === 'td') || headers.some((cell) => hasWords(cell.node)))
    return;
  report(
    element,
    'table-without-header',
    'The table has no header.',
    'Add column names in its first row.',
  );
}

function checkId(element: WrittenElement, ids: Set<string>, report: Report): void {
  const id = attributeOf(element, 'id');
  if (typeof id !== 'string' || id === '') return;
  if (ids.has(id))
    report(element, 'duplicate-id', 'This id is already used on this page.', 'Change one of them.');
  ids.add(id);
}

/**
 * The title of the page is level 1, so the text starts with level 2. Returns a function that checks
 * one element after the other.
 */
function headingOrder(hasTitle: boolean, report: Report): (element: WrittenElement) => void {
  let level = hasTitle ? 1 : 0;
  let titles = level;
  return (element) => {
    const depth = Number(/^h([1-6])$/.exec(element.name)?.[1]);
    if (Number.isNaN(depth)) return;
    if (depth === 1 && ++titles === 2) {
      const above = hasTitle ? 'the title in the frontmatter is one' : 'there is one above';
      report(
        element,
        'second-title',
        `A page has one heading of level 1; ${above}.`,
        'Start sections with level 2: ##.',
      );
    }
    if (level > 0 && depth > level + 1) {
      // Without the levels: the line shows them, and all such headings of a site are one fact.
      report(
        element,
        'heading-skip',
        'The heading skips a level.',
        'Make it one level deeper than the heading above.',
      );
    }
    level = depth;
  };
}

/** An element of a page as written, in Markdown or as a tag. */
export interface WrittenElement {
  /** Lower case for HTML; components by their names. */
  name: string;
  isTag: boolean;
  node: SourceNode;
  /** 1-based line of the file; undefined if the parser does not know it. */
  line?: number;
  column?: number;
}

/** Iterates over the elements below a node in document order. */
export function* elementsOf(root: SourceNode, lineOffset: number): Generator<WrittenElement> {
  for (const node of root.children ?? []) {
    const isTag = node.type.startsWith('mdxJsx');
    const name = isTag ? node.name : node.type === 'element' ? node.tagName : undefined;
    if (name) {
      const start = node.position?.start;
      yield {
        name,
        isTag,
        node,
        ...(start ? { line: start.line + lineOffset, column: start.column } : {}),
      };
    }
    yield* elementsOf(node, lineOffset);
  }
}

/**
 * Returns the value of an attribute: its text, `true` for another value, undefined if it is absent.
 */
export function attributeOf(
  { node, isTag }: Pick<WrittenElement, 'node' | 'isTag'>,
  name: string,
): string | true | undefined {
  if (!isTag) {
    const value = node.properties?.[name];
    return value === undefined || value === null
      ? undefined
      : typeof value === 'string'
        ? value
        : true;
  }
  for (const attribute of node.attributes ?? []) {
    // `{...props}` may contain anything.
    if (attribute.type === 'mdxJsxExpressionAttribute') return true;
    if (attribute.name.toLowerCase() !== name.toLowerCase()) continue;
    return typeof attribute.value === 'string'
      ? attribute.value
      : literalText(attribute.value?.value);
  }
  return undefined;
}

/** The text of `{"…"}` and `` {`…`} ``; `true` for every other expression. */
function literalText(expression: string | undefined): string | true {
  const match = /^\s*(["'`])([^"'`\\$]*)\1\s*$/.exec(expression ?? '');
  return match ? (match[2] as string) : true;
}

/**
 * Returns whether screen readers announce something inside: text, an expression, an image with
 * alternative text, a component.
 */
export function hasWords(node: SourceNode): boolean {
  return (node.children ?? []).some((child) => {
    if (child.type === 'text') return (child.value ?? '').trim() !== '';
    if (child.type.includes('Expression') || child.type === 'raw' || child.type === 'inlineMath')
      return true;
    const isTag = child.type.startsWith('mdxJsx');
    const name = isTag ? child.name : child.tagName;
    if (name === 'img') return spoken(attributeOf({ node: child, isTag }, 'alt'));
    if (isTag && name && /^[A-Z]/.test(name) && name !== 'Icon') return true;
    return (
      ['aria-label', 'title'].some((key) => spoken(attributeOf({ node: child, isTag }, key))) ||
      hasWords(child)
    );
  });
}

function spoken(value: string | true | undefined): boolean {
  return value === true || (value !== undefined && value.trim() !== '');
}
