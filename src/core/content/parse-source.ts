import { markdownToHast, mdxToHast } from 'satteri';
import { definitionsFor, definitionsIn, joinFootnotes } from './source-definitions.ts';
import { holdAttributes } from './source-hold.ts';
import { withoutFalseMath } from './source-math.ts';
import type { SourceNode } from './source-node.ts';
import type { SourceProblem } from './source-problem.ts';
import { dropBlock, FAULT_MARK, readSyntaxFault, repairFault, showBlock } from './source-repair.ts';
import { MAX_RISK, nestingRisk, splitByRisk } from './source-risk.ts';

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
const MAX_LENGTH = 8_000_000;

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
  if (text.length > MAX_LENGTH) return unparsed(text, 'The file is too large for a page');
  if (nestingRisk(text) <= MAX_RISK) return parseSafe(text, options, []);
  const parts = splitByRisk(text);
  return parts ? parseParts(parts, options) : parseHeld(text, options);
}

/** Parses a text that is too much for the parser as it is: without the long values of its attributes. */
function parseHeld(text: string, options: ParseOptions): ParsedSource {
  const held = holdAttributes(text);
  const isSmall = nestingRisk(held.text) <= MAX_RISK;
  const parts = isSmall ? [held.text] : splitByRisk(held.text);
  if (!parts) return unparsed(text, 'The file nests too much in one place');
  const parsed = parseParts(parts, options);
  held.restore(parsed.root);
  return parsed;
}

/** The parse of an MDX file that must be free of faults; undefined where it is not. */
export function tryParseMdx(text: string, options: ParseOptions): ParsedSource | undefined {
  const parsed = parseSource(text, { ...options, isMarkdown: false });
  return parsed.problems.length === 0 ? parsed : undefined;
}

/** Parses the parts of a large file one by one, each after as many empty lines as stood before it. */
function parseParts(parts: readonly string[], options: ParseOptions): ParsedSource {
  const children: SourceNode[] = [];
  const problems: SourceProblem[] = [];
  const faults: string[] = [];
  const definitions = definitionsIn(parts.join(''));
  let before = '';
  for (const part of parts) {
    const parsed = parseSafe(before + part + definitionsFor(part, definitions), options, faults);
    children.push(...(parsed.root.children ?? []));
    problems.push(...parsed.problems);
    before += part.replace(/[^\n]+/g, '');
  }
  // Offsets refer to the parts, of which there is no common text.
  return { root: { type: 'root', children: joinFootnotes(children) }, text: '', problems, faults };
}

/** @param faults gets the messages for the reader; those of earlier parts are in it already */
function parseSafe(text: string, options: ParseOptions, faults: string[]): ParsedSource {
  const parse = parserFor(options);
  const parsed = options.isMarkdown
    ? { root: parse(text), text, problems: [], faults }
    : parseWithRepairs(text, parse, options, faults);
  return options.math ? { ...parsed, ...withoutFalseMath(parsed.text, parsed.root, parse) } : parsed;
}

function parseWithRepairs(source: string, parse: Parse, options: ParseOptions, faults: string[]): ParsedSource {
  const problems: SourceProblem[] = [];
  let text = source;
  for (let attempt = 0; attempt <= MAX_REPAIRS; attempt++) {
    try {
      return { root: parse(text), text, problems, faults };
    } catch (error) {
      const fault = readSyntaxFault(error instanceof Error ? error.message : '');
      if (!fault) break;
      let repair = repairFault(text, fault, options.isComponent);
      if (!repair || repair.text === text) repair = showBlock(text, fault) ?? dropBlock(text, fault);
      problems.push(repair.problem);
      if (repair.fault !== undefined) faults.push(repair.fault);
      text = repair.text.replace(FAULT_MARK, `<docent-fault id="${faults.length - 1}" />`);
    }
  }
  return asMarkdown(source, problems, faults);
}

/** A text that no repair makes MDX: its Markdown is shown, its components are lost. */
function asMarkdown(text: string, problems: SourceProblem[], faults: string[]): ParsedSource {
  const root = markdownToHast(text, { features: { headingAttributes: true, frontmatter: false, gfm: true } }) as SourceNode;
  const id = faults.push('This part of the page is not valid MDX and is shown as plain Markdown') - 1;
  root.children = [faultElement(id), ...(root.children ?? [])];
  return { root, text, problems, faults };
}

function faultElement(id: number): SourceNode {
  return {
    type: 'mdxJsxFlowElement',
    name: 'docent-fault',
    attributes: [{ type: 'mdxJsxAttribute', name: 'id', value: String(id) }],
    children: [],
  };
}

function unparsed(text: string, reason: string): ParsedSource {
  const remedy = 'Split the page, or move generated data out of it.';
  const problem: SourceProblem = {
    severity: 'error',
    code: 'page-too-complex',
    message: `${reason}.`,
    remedy,
    line: 1,
    column: 1,
  };
  return { root: { type: 'root', children: [faultElement(0)] }, text, problems: [problem], faults: [reason] };
}
