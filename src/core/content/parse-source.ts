import { markdownToHast, mdxToHast } from 'satteri';
import { classNames, type SourceNode } from './source-node.ts';
import type { SourceProblem } from './source-problem.ts';
import { dropBlock, FAULT_MARK, readSyntaxFault, repairFault } from './source-repair.ts';

export interface ParsedSource {
  root: SourceNode;
  /** The text that the positions of the tree refer to. */
  text: string;
  problems: SourceProblem[];
  /** Messages for the reader; `<docent-fault id="n" />` in the tree stands for the n-th. */
  faults: string[];
}

export interface ParseOptions {
  /** `$…$` and `$$…$$` are formulas. */
  math: boolean;
  /** Plain Markdown: braces are text, tags are HTML. */
  isMarkdown: boolean;
  /** Whether the page may call a component of that name; decides how an unclosed tag is mended. */
  isComponent(name: string): boolean;
}

const MAX_REPAIRS = 80;
/** Most opening brackets in a file. The parser recurses, so nesting without end would overflow its stack. */
const MAX_BRACKETS = 25_000;
const MAX_LENGTH = 8_000_000;
const MAX_NESTING = 300;

type Parse = (text: string) => SourceNode;

function parserFor(options: ParseOptions): Parse {
  return (text) => {
    const math = options.math && text.includes('$');
    const features = { headingAttributes: true, math, frontmatter: false, gfm: true };
    if (!options.isMarkdown) return mdxToHast(text, { features }) as SourceNode;
    // Reparsing HTML costs the positions, so it happens only where there may be HTML.
    return markdownToHast(text, { features: { ...features, rawHtml: text.includes('<') } }) as SourceNode;
  };
}

/**
 * Parses a file's text without its frontmatter. Syntax errors become problems: each is mended as narrowly as possible,
 * so that one bad tag costs one place. Never throws for bad text.
 */
export function parseSource(text: string, options: ParseOptions): ParsedSource {
  const refusal = refuse(text);
  if (refusal) return unparsed(text, refusal);
  const parse = parserFor(options);
  const parsed = options.isMarkdown
    ? { root: parse(text), text, problems: [], faults: [] }
    : parseWithRepairs(text, parse, options);
  return options.math ? withoutFalseMath(parsed, parse) : parsed;
}

/** The parse of an MDX file that must be free of faults; undefined where it is not. */
export function tryParseMdx(text: string, options: ParseOptions): ParsedSource | undefined {
  if (refuse(text)) return undefined;
  const parse = parserFor({ ...options, isMarkdown: false });
  try {
    const parsed = { root: parse(text), text, problems: [], faults: [] };
    return options.math ? withoutFalseMath(parsed, parse) : parsed;
  } catch {
    return undefined;
  }
}

function parseWithRepairs(source: string, parse: Parse, options: ParseOptions): ParsedSource {
  const problems: SourceProblem[] = [];
  const faults: string[] = [];
  let text = source;
  for (let attempt = 0; attempt <= MAX_REPAIRS; attempt++) {
    try {
      return { root: parse(text), text, problems, faults };
    } catch (error) {
      const fault = readSyntaxFault(error instanceof Error ? error.message : '');
      if (!fault) break;
      let repair = repairFault(text, fault, options.isComponent);
      if (!repair || repair.text === text) repair = dropBlock(text, fault);
      problems.push(repair.problem);
      if (repair.fault !== undefined) faults.push(repair.fault);
      text = repair.text.replace(FAULT_MARK, `<docent-fault id="${faults.length - 1}" />`);
    }
  }
  return asMarkdown(source, problems);
}

/** A file that no repair makes MDX: its Markdown is shown, its components are lost. */
function asMarkdown(text: string, problems: SourceProblem[]): ParsedSource {
  const root = markdownToHast(text, { features: { headingAttributes: true, frontmatter: false, gfm: true } }) as SourceNode;
  root.children = [faultElement(0), ...(root.children ?? [])];
  return { root, text, problems, faults: ['This page is not valid MDX and is shown as plain Markdown'] };
}

function faultElement(id: number): SourceNode {
  return {
    type: 'mdxJsxFlowElement',
    name: 'docent-fault',
    attributes: [{ type: 'mdxJsxAttribute', name: 'id', value: String(id) }],
    children: [],
  };
}

/** Why a text may not be given to the parser at all. */
function refuse(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return 'The file is too large for a page';
  if (text.length < MAX_NESTING * 2) return undefined;
  let brackets = 0;
  let open = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 40 || code === 91 || code === 123) {
      brackets++;
      open++;
      if (open > deepest) deepest = open;
    } else if (code === 41 || code === 93 || code === 125) open = open > 0 ? open - 1 : 0;
  }
  // Prose leaves brackets open (`:(`), so depth alone proves nothing in a text that has few of them.
  if (brackets > MAX_BRACKETS || (brackets > 1500 && deepest > MAX_NESTING)) return 'The file has too many nested brackets';
  return undefined;
}

function unparsed(text: string, reason: string): ParsedSource {
  const problem: SourceProblem = {
    severity: 'error',
    code: 'page-too-complex',
    message: `${reason}.`,
    remedy: 'Split the page, or move generated data out of it.',
    line: 1,
    column: 1,
  };
  return { root: { type: 'root', children: [faultElement(0)] }, text, problems: [problem], faults: [reason] };
}

const MAX_MATH_ROUNDS = 10;

/**
 * Prices and shell variables are not formulas: where a `$…$` that the parser took for one does not look like one, its
 * first dollar is escaped and the text parsed again.
 */
function withoutFalseMath(parsed: ParsedSource, parse: Parse): ParsedSource {
  let current = parsed;
  if (!current.text.includes('$')) return current;
  for (let round = 0; round < MAX_MATH_ROUNDS; round++) {
    const offsets: number[] = [];
    collectFalseMath(current.root, current.text, offsets);
    if (offsets.length === 0) return current;
    let text = current.text;
    for (const offset of offsets.sort((a, b) => b - a)) text = `${text.slice(0, offset)}\\${text.slice(offset)}`;
    try {
      current = { ...current, text, root: parse(text) };
    } catch {
      return current;
    }
  }
  return current;
}

function collectFalseMath(node: SourceNode, text: string, offsets: number[]): void {
  if (node.tagName === 'code' && classNames(node).includes('math-inline')) {
    const { position } = node;
    if (position && !isMath(text, position.start.offset, position.end.offset)) offsets.push(position.start.offset);
    return;
  }
  if (node.children) for (const child of node.children) collectFalseMath(child, text, offsets);
}

/** Whether the dollars hug their content and no letter or digit follows, as formulas are written. */
function isMath(text: string, start: number, end: number): boolean {
  if (text[start] !== '$') return true;
  if (text.startsWith('$$', start)) return true;
  const content = text.slice(start + 1, end - 1);
  return content.trim() === content && content !== '' && !/[\p{L}\p{N}]/u.test(text[end] ?? '');
}
