import type { SourceProblem } from './source-node.ts';

/** Text after one repair, and the message for the author: none if the text was valid MDX. */
export interface Repair {
  text: string;
  problem?: SourceProblem;
  /** Message for the reader if something was lost; in the text as `<docent-fault id="n" />`. */
  fault?: string;
}

/** Position and message of the parser's error. */
export interface SyntaxFault {
  line: number;
  column: number;
  message: string;
}

const VOID_TAGS = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const HTML_TAGS = new Set(
  'a abbr article aside audio b blockquote button caption center cite code dd del details div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header i iframe ins kbd label li main mark nav ol option p picture pre q s samp section select small span strike strong style sub summary sup svg table tbody td textarea tfoot th thead tr tt u ul var video'.split(
    ' ',
  ),
);
const AUTOLINK = /^<((?:https?:\/\/|mailto:)[^\s<>]+|[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+)>/;

/** Parses `3:14: what was wrong (rule)`; undefined for anything else. */
export function readSyntaxFault(message: string): SyntaxFault | undefined {
  const match = /^(\d+):(\d+): ([\s\S]*?)(?: \([\w-]+:[\w-]+\))?$/.exec(message);
  return match ? { line: Number(match[1]), column: Number(match[2]), message: match[3] as string } : undefined;
}

/** Returns the offset of a line and column in the text. */
export function offsetAt(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf('\n', start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  return Math.min(text.length, start + column - 1);
}

/**
 * Returns the smallest change that gets the parser past an error: rewrites what HTML allows and MDX does not, shows what cannot
 * be markup as text, removes an unmatched tag. Returns undefined if no small change is known.
 * @param isComponent whether the page may call a component of that name
 */
export function repairFault(text: string, fault: SyntaxFault, isComponent: (name: string) => boolean): Repair | undefined {
  const offset = offsetAt(text, fault.line, fault.column);
  const { message } = fault;
  const unclosed = /^Expected a closing tag for `<([^>`]*)>` \((\d+):(\d+)\)/.exec(message);
  if (unclosed) {
    return repairUnclosed(text, unclosed[1] as string, Number(unclosed[2]), Number(unclosed[3]), isComponent);
  }
  if (message.startsWith('Unexpected closing')) return repairClosing(text, offset, fault, isComponent);
  if (message.startsWith('Could not parse expression') || message.includes('in expression')) {
    return repairExpression(text, offset, fault);
  }
  const at = text[offset] === '<' ? offset : text.lastIndexOf('<', offset);
  return at >= 0 ? repairOpening(text, at, fault) : undefined;
}

function problem(
  severity: 'error' | 'warning',
  fault: { line: number; column: number },
  message: string,
  remedy: string,
): SourceProblem {
  return { severity, code: 'mdx-syntax', message, remedy, line: fault.line, column: fault.column };
}

const replaceAt = (text: string, from: number, to: number, by: string): string => text.slice(0, from) + by + text.slice(to);

/** A `<` that does not open a tag. */
function repairOpening(text: string, at: number, fault: SyntaxFault): Repair {
  if (text.startsWith('<!--', at)) return repairComment(text, at, fault);
  const link = AUTOLINK.exec(text.slice(at, at + 2000));
  if (link) {
    const address = link[1] as string;
    const href = address.includes(':') ? address : `mailto:${address}`;
    return {
      text: replaceAt(
        text,
        at,
        at + link[0].length,
        `[${address.replace(/[[\]\\*_`]/g, '\\$&')}](${href.replace(/[()]/g, encodeURIComponent)})`,
      ),
      problem: problem('warning', fault, 'Links in angle brackets are not valid MDX.', `Write [text](${address}).`),
    };
  }
  const joined = joinTagEnd(text, at);
  if (joined !== undefined) return { text: joined };
  const tag = /^<([A-Za-z][\w-]*)/.exec(text.slice(at, at + 80))?.[1]?.toLowerCase();
  if (tag && (HTML_TAGS.has(tag) || VOID_TAGS.has(tag))) {
    const end = tagEnd(text, at);
    const respelt = quoteAttributes(text.slice(at, end));
    if (respelt !== text.slice(at, end)) {
      return {
        text: replaceAt(text, at, end, respelt),
        problem: problem('warning', fault, `An attribute of <${tag}> is not valid MDX.`, 'Put the value in double quotes.'),
      };
    }
  }
  const commented = /^<[A-Za-z]/.test(text.slice(at, at + 2)) ? text.slice(at, tagEnd(text, at)) : '';
  const bare = withoutComments(commented);
  if (bare !== commented) {
    return {
      text: replaceAt(text, at, at + commented.length, bare),
      problem: problem(
        'warning',
        fault,
        'Comments inside a tag are not valid MDX; this one is removed.',
        'Put it before the tag.',
      ),
    };
  }
  return {
    text: replaceAt(text, at, at + 1, '&lt;'),
    problem: problem(
      'warning',
      fault,
      'A "<" does not start a tag and is shown as text.',
      'Write \\< or &lt; or put it into `code`.',
    ),
  };
}

/**
 * Moves the end of a tag that starts a line, before text, to the line above: the parser takes `>` there for a quote. A comment keeps
 * the number of lines. Returns undefined if that is not the fault.
 */
function joinTagEnd(text: string, at: number): string | undefined {
  const name = /^<([A-Za-z][\w.:-]*)\s/.exec(text.slice(at, at + 80))?.[1];
  const end = tagEnd(text, at);
  const last = text.lastIndexOf('\n', end);
  const isSplit = last > at && text.slice(last + 1, end).trim() === '>' && text.slice(at, last).includes('=');
  if (name === undefined || !isSplit || !text.includes(`</${name}`, end)) return undefined;
  return `${text.slice(0, last)}>{/*\n*/}${text.slice(end)}`;
}

/** A tag without its comments. Linear. */
function withoutComments(tag: string): string {
  let kept = '';
  let from = 0;
  for (let open = tag.indexOf('/*'); open >= 0; open = tag.indexOf('/*', open)) {
    const close = tag.indexOf('*/', open + 2);
    if (close < 0) break;
    const before = tag.slice(from, open).trimEnd();
    const after = /^\s*\}/.exec(tag.slice(close + 2, close + 100))?.[0];
    open = close + 2;
    if (!before.endsWith('{') || after === undefined) continue;
    kept += before.slice(0, -1);
    from = open + after.length;
  }
  return kept + tag.slice(from);
}

function repairComment(text: string, at: number, fault: SyntaxFault): Repair {
  const close = text.indexOf('-->', at + 4);
  const end = close < 0 ? text.length : close + 3;
  const lines = text.slice(at, end).replace(/[^\n]+/g, '');
  return {
    text: replaceAt(text, at, end, lines),
    problem: problem('warning', fault, 'HTML comments are not valid MDX; this one is removed.', 'Write {/* … */}.'),
  };
}

/** Adds missing quotes to attribute values. */
function quoteAttributes(tag: string): string {
  return tag.replace(/(?<![\w:-])([\w:-]+)=([^\s"'{}<>=`]+)(?=[\s/>])/g, '$1="$2"');
}

/** Returns the end of the tag that opens at `at`, respecting quotes and braces. */
function tagEnd(text: string, at: number): number {
  let quote = '';
  let depth = 0;
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i] as string;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '{') depth++;
    else if (char === '}') depth--;
    else if (char === '>' && depth <= 0) return i + 1;
    else if (char === '<' && depth <= 0) return i;
  }
  return text.length;
}

function repairUnclosed(
  text: string,
  name: string,
  line: number,
  column: number,
  isComponent: (name: string) => boolean,
): Repair {
  const at = offsetAt(text, line, column);
  const end = tagEnd(text, at);
  const place = { line, column };
  if (VOID_TAGS.has(name.toLowerCase()) && text[end - 1] === '>') {
    const message = `<${name}> must be self-closing in MDX.`;
    return { text: replaceAt(text, end - 1, end, ' />'), problem: problem('warning', place, message, `Write <${name} />.`) };
  }
  if (HTML_TAGS.has(name) || isComponent(name)) return dropTag(text, at, end, name, place);
  return {
    text: replaceAt(text, at, at + 1, '&lt;'),
    problem: problem(
      'warning',
      place,
      `<${name}> has no closing tag; it is shown as text.`,
      `Write \\<${name}> or put it into \`code\`.`,
    ),
  };
}

/** An unmatched tag: shows what follows it and the texts of its attributes. */
function dropTag(text: string, at: number, end: number, name: string, place: { line: number; column: number }): Repair {
  const tag = text.slice(at, end);
  const reported = problem(
    'error',
    place,
    `<${name}> is not closed.`,
    `Add </${name}>, or close it in the same paragraph or list item.`,
  );
  const isShown = !HTML_TAGS.has(name) && SHOWN_ATTRIBUTE.test(tag) && tag.endsWith('>');
  const kept = isShown ? `${tag.slice(0, -1)} />` : tag.replace(/[^\n]+/g, '');
  return { text: replaceAt(text, at, end, kept), problem: reported };
}

/** Attributes with visible text. */
const SHOWN_ATTRIBUTE = /\s(?:title|label|name|href|src|img|caption|query|path|body|header)\s*=/;

/** Marks the place of a fault until its number is known. */
export const FAULT_MARK = '<docent-fault />';

function repairClosing(
  text: string,
  offset: number,
  fault: SyntaxFault,
  isComponent: (name: string) => boolean,
): Repair | undefined {
  const expected = /expected corresponding closing tag for `<([^>`]*)>` \((\d+):(\d+)\)/.exec(fault.message);
  const at = text[offset] === '<' ? offset : text.lastIndexOf('<', offset);
  const closing = /^<\/\s*([^\s>]*)\s*>/.exec(text.slice(at, at + 200));
  if (at < 0 || !closing) return undefined;
  if (expected) {
    const opener = offsetAt(text, Number(expected[2]), Number(expected[3]));
    const wasOpened = new RegExp(`<${escapeRegExp(closing[1] as string)}[\\s>]`).test(text.slice(0, opener));
    if (wasOpened) return repairUnclosed(text, expected[1] as string, Number(expected[2]), Number(expected[3]), isComponent);
  }
  return {
    text: replaceAt(text, at, at + closing[0].length, ''),
    problem: problem('error', fault, `${closing[0]} closes nothing.`, 'Remove it, or add the opening tag.'),
  };
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** An expression that is not JavaScript: shown as text, or dropped as an attribute's value. */
function repairExpression(text: string, offset: number, fault: SyntaxFault): Repair | undefined {
  const at = openingBrace(text, offset);
  if (at < 0) return undefined;
  const reported = problem(
    'warning',
    fault,
    'The braces do not contain a valid expression.',
    'Escape a literal brace as \\{, or put the text into `code`.',
  );
  if (text[at - 1] !== '=') return { text: replaceAt(text, at, at + 1, '&#123;'), problem: reported };
  const end = closingBrace(text, at);
  const lines = text.slice(at, end).replace(/[^\n]+/g, '');
  return { text: replaceAt(text, at, end, `{undefined${lines}}`), problem: reported };
}

/** The brace for the fault: the outermost open one in its paragraph. */
function openingBrace(text: string, offset: number): number {
  if (text[offset] === '{' && text[offset - 1] !== '{') return offset;
  let depth = 0;
  let found = -1;
  for (let at = offset - 1; at >= 0; at--) {
    const char = text[at];
    if (char === '\n' && text[at - 1] === '\n' && found >= 0) break;
    if (char === '}') depth++;
    else if (char === '{') {
      if (depth > 0) depth--;
      else {
        found = at;
        if (text[at - 1] !== '{') break;
      }
    }
  }
  return found >= 0 ? found : text[offset] === '{' ? offset : -1;
}

function closingBrace(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i + 1;
  }
  return text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
}

/** The block of lines around a position, between empty lines. */
function blockAround(text: string, fault: SyntaxFault): { start: number; end: number } {
  const offset = offsetAt(text, fault.line, 1);
  const before = text.lastIndexOf('\n\n', offset);
  const after = text.indexOf('\n\n', offset);
  return { start: before < 0 ? 0 : before + 2, end: after < 0 ? text.length : after };
}

const MARKUP: Record<string, string> = { '<': '&lt;', '{': '&#123;', '}': '&#125;' };

/**
 * Shows the block around an error as text if no smaller repair works. Returns undefined if that was done already, or if the block
 * is code, in which such characters have no meaning.
 */
export function showBlock(text: string, fault: SyntaxFault): Repair | undefined {
  const { start, end } = blockAround(text, fault);
  const block = text.slice(start, end);
  if (!/[<{}]/.test(block) || /^[ \t]*(?:```|~~~|(?:import|export)\s)/m.test(block)) return undefined;
  return {
    text: replaceAt(
      text,
      start,
      end,
      block.replace(/[<{}]/g, (sign) => MARKUP[sign] as string),
    ),
    problem: problem(
      'error',
      fault,
      `This block is not valid MDX and is shown as text: ${fault.message}.`,
      'Correct the syntax here.',
    ),
  };
}

/** Removes the whole block around an error that no other repair fixes. */
export function dropBlock(text: string, fault: SyntaxFault): Repair {
  const { start, end } = blockAround(text, fault);
  const lines = text.slice(start, end).replace(/[^\n]+/g, '');
  return {
    text: replaceAt(text, start, end, FAULT_MARK + lines),
    problem: problem(
      'error',
      fault,
      `This block is not valid MDX: ${fault.message}.`,
      'Correct the syntax here; the rest of the page is shown.',
    ),
    fault: 'This part of the page is not valid MDX',
  };
}
