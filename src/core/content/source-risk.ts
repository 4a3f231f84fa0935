/**
 * The native parser recurses, and source that nests without end overflows its stack, which no `catch` can stop. How
 * deep a text may nest is known only after parsing it, so what is bounded is the number of signs that could nest. At
 * this limit the deepest text needs about two thirds of the 4 MB that a thread has.
 */
export const MAX_RISK = 7000;

/** The same for text that holds no JavaScript: nothing overflows there, but time grows with the square of the depth. */
export const MAX_MARKUP_RISK = 20_000;

const WEIGHTS = new Uint8Array(128);
for (const sign of '([{') WEIGHTS[sign.charCodeAt(0)] = 5;
for (const sign of '!?=~<>*+-') WEIGHTS[sign.charCodeAt(0)] = 1;
WEIGHTS[58] = 2;

const NESTING_WORDS = /\b(?:new|typeof|await|yield|void|delete|async|else|if|do|case|for|while|with)\b/g;

/** The same for one stretch of a page without JavaScript that cannot be split. */
const MAX_BLOCK_RISK = 60_000;

/** Whether the parser may find JavaScript in the text. */
function mayHoldCode(text: string): boolean {
  return text.includes('{') || /^(?:import|export)\b/m.test(text);
}

/** How much nesting a text could hold at most. */
export function nestingRisk(text: string): number {
  let risk = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) risk += WEIGHTS[code] as number;
  }
  // Shorter texts have no room for words that matter.
  if (text.length > MAX_RISK * 2) risk += text.match(NESTING_WORDS)?.length ?? 0;
  return risk;
}

const TAG = /<(\/?)([A-Za-z][\w.]*)(?:"[^"]*"|'[^']*'|[^"'<>])*?(\/?)>/g;
const FENCE = /^\s*(`{3,}|~{3,})/;
const TOP_LEVEL = /^(?:#{1,6} |<[A-Za-z]|[A-Za-z])/;

/**
 * Splits a large text between top-level blocks into parts that are safe to parse one by one.
 * @returns undefined where some part cannot be made small enough
 */
export function splitByRisk(text: string): string[] | undefined {
  const parts: string[] = [];
  let part = '';
  let risk = 0;
  let hasCode = false;
  for (const block of topLevelBlocks(text)) {
    const added = nestingRisk(block);
    const addsCode = mayHoldCode(block);
    if (added > (addsCode ? MAX_RISK : MAX_BLOCK_RISK)) return undefined;
    if (part !== '' && risk + added > (hasCode || addsCode ? MAX_RISK : MAX_MARKUP_RISK)) {
      parts.push(part);
      part = '';
      risk = 0;
      hasCode = false;
    }
    part += block;
    risk += added;
    hasCode ||= addsCode;
  }
  parts.push(part);
  return parts;
}

/** Stretches of the text that start at the margin after an empty line, outside all tags and fences. */
function topLevelBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block = '';
  let depth = 0;
  let fence = '';
  let afterEmpty = false;
  for (const line of text.split(/(?<=\n)/)) {
    if (afterEmpty && depth <= 0 && fence === '' && TOP_LEVEL.test(line)) {
      blocks.push(block);
      block = '';
    }
    block += line;
    afterEmpty = line.trim() === '';
    const mark = FENCE.exec(line)?.[1];
    if (mark && fence === '') fence = mark;
    else if (mark?.startsWith(fence)) fence = '';
    else if (fence === '') depth += tagDepth(line);
  }
  blocks.push(block);
  return blocks;
}

function tagDepth(line: string): number {
  if (!line.includes('<')) return 0;
  let depth = 0;
  for (const [, closing, , empty] of line.replace(/`[^`]*`/g, '').matchAll(TAG)) {
    if (closing) depth--;
    else if (!empty) depth++;
  }
  return depth;
}
