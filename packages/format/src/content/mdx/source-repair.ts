import { literalPattern } from '../../patterns.ts';
import { isVoid } from '../nodes/html-policy.ts';
import type { SourceProblem } from '../nodes/source-node.ts';
import { braceEnd, NO_EXPRESSION } from './source-guard.ts';
import { markupAsText, onlyLines } from './source-text.ts';

/** Text after one repair, and the message for the author: none if the text was valid MDX. */
export interface Repair {
  text: string;
  problem?: SourceProblem;
}

/** Position and message of the parser's error. */
export interface SyntaxFault {
  line: number;
  column: number;
  message: string;
}

const HTML_TAGS = new Set(
  'a abbr article aside audio b blockquote button caption center cite code dd del details div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header i iframe ins kbd label li main mark nav ol option p picture pre q s samp section select small span strike strong style sub summary sup svg table tbody td textarea tfoot th thead tr tt u ul var video'.split(
    ' ',
  ),
);
const AUTOLINK = /^<((?:https?:\/\/|mailto:)[^\s<>]+|[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+)>/;

/** Parses `3:14: what was wrong (rule)`; undefined for anything else. */
export function readSyntaxFault(message: string): SyntaxFault | undefined {
  const match = /^(\d+):(\d+): ([\s\S]*?)(?: \([\w-]+:[\w-]+\))?$/.exec(message);
  return match
    ? { line: Number(match[1]), column: Number(match[2]), message: match[3] as string }
    : undefined;
}

function offsetAt(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf('\n', start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  return Math.min(text.length, start + column - 1);
}

/**
 * Returns the smallest change that gets the parser past an error: rewrites what HTML allows and MDX
 * does not, shows what cannot be markup as text, removes an unmatched tag. Returns undefined if no
 * small change is known.
 * @param isComponent whether the page may call a component of that name
 */
export function repairFault(
  text: string,
  fault: SyntaxFault,
  isComponent: (name: string) => boolean,
): Repair | undefined {
  const offset = offsetAt(text, fault.line, fault.column);
  const { message } = fault;
  const unclosed = /^Expected a closing tag for `<([^>`]*)>` \((\d+):(\d+)\)/.exec(message);
  if (unclosed) {
    const place = { line: Number(unclosed[2]), column: Number(unclosed[3]) };
    return repairUnclosed(text, unclosed[1] as string, place, isComponent);
  }
  if (message.startsWith('Unexpected closing'))
    return repairClosing(text, offset, fault, isComponent);
  if (message.startsWith('Could not parse expression') || message.includes('in expression')) {
    return repairExpression(text, offset, fault);
  }
  const at = text[offset] === '<' ? offset : text.lastIndexOf('<', offset);
  return at >= 0 ? repairOpening(text, at, fault) : undefined;
}

type Place = Pick<SourceProblem, 'line' | 'column'>;

/** Replaces a part of the text, and says why. */
function replaced(
  text: string,
  [from, to, by]: readonly [from: number, to: number, by: string],
  { line, column }: Place,
  [message, remedy]: readonly [message: string, remedy: string],
  severity: SourceProblem['severity'] = 'warning',
): Repair {
  const problem = { severity, code: 'mdx-syntax', message, remedy, line, column };
  return { text: text.slice(0, from) + by + text.slice(to), problem };
}

function repairOpening(text: string, at: number, fault: SyntaxFault): Repair {
  if (text.startsWith('<!--', at)) return repairComment(text, at, fault);
  const link = AUTOLINK.exec(text.slice(at, at + 2000));
  if (link) {
    const address = link[1] as string;
    const href = address.includes(':') ? address : `mailto:${address}`;
    const written = `[${address.replace(/[[\]\\*_`]/g, '\\$&')}](${href.replace(/[()]/g, encodeURIComponent)})`;
    const reason = [
      'Links in angle brackets are not valid MDX.',
      `Write [text](${address}).`,
    ] as const;
    return replaced(text, [at, at + link[0].length, written], fault, reason);
  }
  const joined = joinTagEnd(text, at);
  if (joined !== undefined) return { text: joined };
  const tag = /^<([A-Za-z][\w-]*)/.exec(text.slice(at, at + 80))?.[1]?.toLowerCase();
  if (tag && (HTML_TAGS.has(tag) || isVoid(tag))) {
    const end = tagEnd(text, at);
    const respelt = quoteAttributes(text.slice(at, end));
    if (respelt !== text.slice(at, end)) {
      const reason = [
        `An attribute of <${tag}> is not valid MDX.`,
        'Put the value in double quotes.',
      ] as const;
      return replaced(text, [at, end, respelt], fault, reason);
    }
  }
  const commented = /^<[A-Za-z]/.test(text.slice(at, at + 2))
    ? text.slice(at, tagEnd(text, at))
    : '';
  const bare = withoutComments(commented);
  if (bare !== commented) {
    const reason = [
      'Comments inside a tag are not valid MDX; this one is removed.',
      'Put it before the tag.',
    ] as const;
    return replaced(text, [at, at + commented.length, bare], fault, reason);
  }
  const reason = [
    'A "<" does not start a tag and is shown as text.',
    'Write \\< or &lt; or put it into `code`.',
  ] as const;
  return replaced(text, [at, at + 1, '&lt;'], fault, reason);
}

/**
 * Moves the end of a tag that starts a line, before text, to the line above: the parser takes `>`
 * there for a quote. A comment keeps the number of lines. Returns undefined if that is not the
 * fault.
 */
function joinTagEnd(text: string, at: number): string | undefined {
  const name = /^<([A-Za-z][\w.:-]*)\s/.exec(text.slice(at, at + 80))?.[1];
  const end = tagEnd(text, at);
  const last = text.lastIndexOf('\n', end);
  const isSplit =
    last > at && text.slice(last + 1, end).trim() === '>' && text.slice(at, last).includes('=');
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
  const reason = [
    'HTML comments are not valid MDX; this one is removed.',
    'Write {/* … */}.',
  ] as const;
  return replaced(text, [at, end, onlyLines(text.slice(at, end))], fault, reason);
}

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
  place: Place,
  isComponent: (name: string) => boolean,
): Repair {
  const at = offsetAt(text, place.line, place.column);
  const end = tagEnd(text, at);
  if (isVoid(name.toLowerCase()) && text[end - 1] === '>') {
    return replaced(text, [end - 1, end, ' />'], place, [
      `<${name}> must be self-closing in MDX.`,
      `Write <${name} />.`,
    ]);
  }
  if (HTML_TAGS.has(name) || isComponent(name)) return dropTag(text, at, end, name, place);
  const reason = [
    `<${name}> has no closing tag; it is shown as text.`,
    `Write \\<${name}> or put it into \`code\`.`,
  ] as const;
  return replaced(text, [at, at + 1, '&lt;'], place, reason);
}

/** An unmatched tag: shows what follows it and the texts of its attributes. */
function dropTag(text: string, at: number, end: number, name: string, place: Place): Repair {
  const tag = text.slice(at, end);
  const isShown = !HTML_TAGS.has(name) && SHOWN_ATTRIBUTE.test(tag) && tag.endsWith('>');
  const kept = isShown ? `${tag.slice(0, -1)} />` : onlyLines(tag);
  const reason = [
    `<${name}> is not closed.`,
    `Add </${name}>, or close it in the same paragraph or list item.`,
  ] as const;
  return replaced(text, [at, end, kept], place, reason, 'error');
}

/** Attributes with visible text. */
const SHOWN_ATTRIBUTE = /\s(?:title|label|name|href|src|img|caption|query|path|body|header)\s*=/;

function repairClosing(
  text: string,
  offset: number,
  fault: SyntaxFault,
  isComponent: (name: string) => boolean,
): Repair | undefined {
  const expected = /expected corresponding closing tag for `<([^>`]*)>` \((\d+):(\d+)\)/.exec(
    fault.message,
  );
  const at = text[offset] === '<' ? offset : text.lastIndexOf('<', offset);
  const closing = /^<\/\s*([^\s>]*)\s*>/.exec(text.slice(at, at + 200));
  if (at < 0 || !closing) return undefined;
  if (expected) {
    const place = { line: Number(expected[2]), column: Number(expected[3]) };
    const before = text.slice(0, offsetAt(text, place.line, place.column));
    const wasOpened = new RegExp(`<${literalPattern(closing[1] as string)}[\\s>]`).test(before);
    if (wasOpened) return repairUnclosed(text, expected[1] as string, place, isComponent);
  }
  const reason = [`${closing[0]} closes nothing.`, 'Remove it, or add the opening tag.'] as const;
  return replaced(text, [at, at + closing[0].length, ''], fault, reason, 'error');
}

/** An expression that is not JavaScript: shown as text, or dropped as an attribute's value. */
function repairExpression(text: string, offset: number, fault: SyntaxFault): Repair | undefined {
  const at = openingBrace(text, offset);
  if (at < 0) return undefined;
  if (text[at - 1] !== '=') return replaced(text, [at, at + 1, '&#123;'], fault, NO_EXPRESSION);
  const end = braceEnd(text, at);
  return replaced(
    text,
    [at, end, `{undefined${onlyLines(text.slice(at, end))}}`],
    fault,
    NO_EXPRESSION,
  );
}

/** The brace for the fault: the outermost open one in its paragraph. */
function openingBrace(text: string, offset: number): number {
  if (text[offset] === '{' && text[offset - 1] !== '{') return offset;
  let depth = 0;
  let braceOffset = -1;
  for (let at = offset - 1; at >= 0; at--) {
    const char = text[at];
    if (char === '\n' && text[at - 1] === '\n' && braceOffset >= 0) break;
    if (char === '}') depth++;
    else if (char === '{') {
      if (depth > 0) depth--;
      else {
        braceOffset = at;
        if (text[at - 1] !== '{') break;
      }
    }
  }
  return braceOffset >= 0 ? braceOffset : text[offset] === '{' ? offset : -1;
}

/** The block of lines around a position, between empty lines. */
function blockAround(text: string, fault: SyntaxFault): { start: number; end: number } {
  const offset = offsetAt(text, fault.line, 1);
  const before = text.lastIndexOf('\n\n', offset);
  const after = text.indexOf('\n\n', offset);
  return { start: before < 0 ? 0 : before + 2, end: after < 0 ? text.length : after };
}

/**
 * Shows the block around an error as text if no smaller repair works. Returns undefined if that was
 * done already, or if the block is code, in which such characters have no meaning.
 */
export function showBlock(text: string, fault: SyntaxFault): Repair | undefined {
  const { start, end } = blockAround(text, fault);
  const block = text.slice(start, end);
  if (!/[<{}]/.test(block) || /^[ \t]*(?:```|~~~|(?:import|export)\s)/m.test(block))
    return undefined;
  const reason = [
    `This block is not valid MDX and is shown as text: ${fault.message}.`,
    'Correct the syntax here.',
  ] as const;
  return replaced(text, [start, end, markupAsText(block)], fault, reason, 'error');
}

/** Removes the whole block around an error that no other repair fixes. */
export function dropBlock(text: string, fault: SyntaxFault): Repair {
  const { start, end } = blockAround(text, fault);
  const lines = onlyLines(text.slice(start, end));
  const reason = [
    `This block is not valid MDX: ${fault.message}.`,
    'Correct the syntax here; the rest of the page is shown.',
  ] as const;
  return replaced(text, [start, end, `<docent-fault id="part" />${lines}`], fault, reason, 'error');
}
