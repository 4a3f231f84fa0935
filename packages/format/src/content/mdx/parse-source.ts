import { markdownToHast, mdxToHast } from 'satteri';
import { parseModule } from '../expressions/syntax.ts';
import { parseWithCjkEmphasis } from '../nodes/cjk-emphasis.ts';
import { type FAULTS, nodesIn, type SourceNode, type SourceProblem } from '../nodes/source-node.ts';
import {
  lineCost,
  MAX_LINE_COST,
  MAX_RISK,
  nestingRisk,
  withoutDeepLines,
} from '../nodes/source-risk.ts';
import { GuardedSource } from './source-guard.ts';
import { withoutMarks } from './source-marks.ts';
import { withoutDeepFormulas, withoutFalseMath } from './source-math.ts';
import { dropBlock, readSyntaxFault, repairFault, showBlock } from './source-repair.ts';
import { onlyLines } from './source-text.ts';
import { copyPositions, definitionsFor, definitionsIn, joinFootnotes } from './source-tree.ts';

export interface ParsedSource {
  root: SourceNode;
  /** The text that the positions of the tree refer to. */
  text: string;
  problems: SourceProblem[];
}

export interface ParseOptions {
  /** `$…$` and `$$…$$` are formulas. */
  math: boolean;
  /** Plain Markdown: braces are text, tags are HTML. */
  isMarkdown: boolean;
  /**
   * Whether the page may call a component of that name; determines how an unclosed tag is repaired.
   */
  isComponent(name: string): boolean;
}

const MAX_REPAIRS = 80;
/** Maximum characters that repairs of one text may reparse. */
const MAX_REPARSED = 40_000_000;
const MAX_LENGTH = 8_000_000;

type Parse = (text: string) => SourceNode;

function parserFor(options: ParseOptions): Parse {
  return (text) => {
    const math = options.math && text.includes('$');
    const features = { headingAttributes: true, math, frontmatter: false, gfm: true };
    if (!options.isMarkdown)
      return parseWithCjkEmphasis(text, (marked) => mdxToHast(marked, { features }) as SourceNode);
    const read = (rawHtml: boolean) =>
      parseWithCjkEmphasis(
        text,
        (marked) => markdownToHast(marked, { features: { ...features, rawHtml } }) as SourceNode,
      );
    const placed = read(false);
    if (!text.includes('<')) return placed;
    const tree = read(true);
    copyPositions(placed, tree);
    return tree;
  };
}

/**
 * Parses a file's text without its frontmatter. Syntax errors become problems, each repaired as
 * narrowly as possible, so that a broken tag affects only one place. Never throws for invalid text,
 * and never loses long or deep text.
 */
export function parseSource(source: string, options: ParseOptions): ParsedSource {
  const { text, lines } = withoutDeepLines(source);
  const parsed = parseShallow(
    options.math && !options.isMarkdown ? withoutDeepFormulas(text) : text,
    options,
  );
  if (lines.length > 0) parsed.problems = [...lines.map(deepLine), ...parsed.problems];
  return parsed;
}

function parseShallow(text: string, options: ParseOptions): ParsedSource {
  if (text.length > MAX_LENGTH) return asMarkdown(withoutMarks(text), [TOO_LARGE]);
  if (lineCost(text, options.isMarkdown) > MAX_LINE_COST)
    return asMarkdown(withoutMarks(text), [LONG_LINES]);
  if (nestingRisk(text) <= MAX_RISK) {
    const parsed = parseSafe(text, options);
    if (modulesIn(parsed.root).every(isModule)) return parsed;
  }
  const guarded = new GuardedSource(withoutMarks(text), options);
  const parsed = parseParts(guarded.parts, options);
  guarded.restore(parsed.root);
  return { ...parsed, problems: [...guarded.problems, ...parsed.problems] };
}

/** Returns the imports and exports of a text in order, also those inside components. */
export function modulesIn(root: SourceNode): SourceNode[] {
  const nodes = nodesIn(root, ({ type }) => type === 'root' || type === 'mdxJsxFlowElement');
  return nodes.filter(({ type }) => type === 'mdxjsEsm');
}

/**
 * The parser looks for the end of an export in its characters, not in its syntax, and in JSX it may
 * take a slash for the start of a regular expression or of a comment. The export then contains the
 * content after it.
 */
function isModule({ value = '' }: SourceNode): boolean {
  try {
    return parseModule(value).body.every(({ type }) => /Declaration$/.test(type));
  } catch {
    return false;
  }
}

/**
 * Parses the parts of a large file separately, each padded with the empty lines that keep its line
 * numbers.
 */
function parseParts(parts: readonly string[], options: ParseOptions): ParsedSource {
  const children: SourceNode[] = [];
  const problems: SourceProblem[] = [];
  const definitions = definitionsIn(parts.join(''));
  let before = '';
  for (const part of parts) {
    const parsed = parseSafe(before + part + definitionsFor(part, definitions), options);
    children.push(...(parsed.root.children ?? []));
    problems.push(...parsed.problems);
    before += onlyLines(part);
  }
  // Offsets refer to the parts, which have no common text.
  return { root: { type: 'root', children: joinFootnotes(children) }, text: '', problems };
}

function parseSafe(text: string, options: ParseOptions): ParsedSource {
  const parse = parserFor(options);
  const parsed = options.isMarkdown
    ? { root: parse(text), text, problems: [] }
    : parseWithRepairs(text, parse, options);
  return options.math
    ? { ...parsed, ...withoutFalseMath(parsed.text, parsed.root, parse) }
    : parsed;
}

function parseWithRepairs(source: string, parse: Parse, options: ParseOptions): ParsedSource {
  const problems: SourceProblem[] = [];
  let text = source;
  const attempts = Math.min(MAX_REPAIRS, Math.ceil(MAX_REPARSED / (source.length + 1)));
  for (let attempt = 0; attempt <= attempts; attempt++) {
    try {
      return { root: parse(text), text, problems };
    } catch (error) {
      const fault = readSyntaxFault(error instanceof Error ? error.message : '');
      if (!fault) break;
      let repair = repairFault(text, fault, options.isComponent);
      if (!repair || repair.text === text)
        repair = showBlock(text, fault) ?? dropBlock(text, fault);
      if (repair.problem) problems.push(repair.problem);
      text = repair.text;
    }
  }
  return asMarkdown(source, problems);
}

/**
 * Falls back to Markdown for a text that cannot be repaired or is too complex; its components are
 * lost.
 */
function asMarkdown(text: string, problems: SourceProblem[]): ParsedSource {
  const guarded = new GuardedSource(text, { math: false, isMarkdown: false, isPlain: true });
  const features = { headingAttributes: true, frontmatter: false, gfm: true };
  const read = (marked: string) => markdownToHast(marked, { features }) as SourceNode;
  const root = plainTree(text, () => parseWithCjkEmphasis(guarded.parts.join(''), read));
  guarded.restore(root);
  root.children = [
    ...guarded.modules.map(moduleNode),
    faultElement('plain'),
    ...(root.children ?? []),
  ];
  return { root, text: '', problems };
}

/** Shows text as written if even the Markdown parser rejects it. */
function plainTree(text: string, parse: () => SourceNode): SourceNode {
  try {
    if (lineCost(text, true) <= MAX_LINE_COST) return parse();
  } catch {
    // As below.
  }
  const code: SourceNode = {
    type: 'element',
    tagName: 'code',
    children: [{ type: 'text', value: text }],
  };
  return { type: 'root', children: [{ type: 'element', tagName: 'pre', children: [code] }] };
}

function moduleNode({ code, line }: { code: string; line: number }): SourceNode {
  const point = { line, column: 1, offset: 0 };
  return { type: 'mdxjsEsm', value: code, position: { start: point, end: point } };
}

function faultElement(id: keyof typeof FAULTS): SourceNode {
  return {
    type: 'mdxJsxFlowElement',
    name: 'docent-fault',
    attributes: [{ type: 'mdxJsxAttribute', name: 'id', value: id }],
    children: [],
  };
}

const TOO_COMPLEX = { severity: 'error', code: 'page-too-complex', line: 1, column: 1 } as const;
const TOO_LARGE: SourceProblem = {
  ...TOO_COMPLEX,
  message: 'The file is too large for a page and is shown as plain Markdown.',
  remedy: 'Split the page, or move generated data out of it.',
};
const LONG_LINES: SourceProblem = {
  ...TOO_COMPLEX,
  message: 'A line of the file has too many expressions or tags, so it is shown as plain Markdown.',
  remedy: 'Split the lines.',
};

function deepLine(line: number): SourceProblem {
  const message = 'The line opens too many lists and quotes; the inner ones are shown as text.';
  return { ...TOO_COMPLEX, severity: 'warning', message, remedy: 'Reduce the nesting.', line };
}
