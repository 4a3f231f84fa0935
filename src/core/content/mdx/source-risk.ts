/**
 * The native parser recurses, and source that nests without end overflows its stack, which no `catch` can stop. How
 * deep a text may nest is known only after parsing it, so what is bounded is the number of signs that could nest. At
 * this limit the deepest text needs about two thirds of the 4 MB that a thread has.
 */
export const MAX_RISK = 7000;

/** The same for text that is Markdown or HTML alone: nothing overflows there, but time grows with the square of the depth. */
export const MAX_MARKUP_RISK = 20_000;

const WEIGHTS = new Uint8Array(128);
for (const sign of '([{') WEIGHTS[sign.charCodeAt(0)] = 5;
for (const sign of '!?=~<>*+-') WEIGHTS[sign.charCodeAt(0)] = 1;
WEIGHTS[58] = 2;

const NESTING_WORDS = /\b(?:new|typeof|await|yield|void|delete|async|else|if|do|case|for|while|with)\b/g;

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

/** Cost of a page's lines, as `lineCost` counts it; the parser takes a few seconds for this much. */
export const MAX_LINE_COST = 1_000_000_000;

const EXPRESSION_COST = 10;
const [OPEN_BRACE, CLOSE_BRACE, LESS_THAN, UNDERSCORE, AMPERSAND] = [...'{}<_&'].map((sign) => sign.charCodeAt(0));

/** Shorter lines cost nothing, whatever is in them. */
const CHEAP_LINE = 2000;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;

/** For each expression, tag, mark and entity the parser reads its line again from the beginning; expressions of MDX take ten times as long. */
export function lineCost(text: string, isMarkdown: boolean): number {
  let cost = 0;
  let fence = '';
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === '') fence = mark ?? '';
    else if (mark?.startsWith(fence)) fence = '';
    if (fence !== '' || line.length < CHEAP_LINE) continue;
    let marks = 0;
    // What is inside an expression is no place of its own.
    let depth = 0;
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      if (code === OPEN_BRACE && !isMarkdown) marks += depth++ === 0 ? EXPRESSION_COST : 0;
      else if (code === CLOSE_BRACE && depth > 0) depth--;
      else if (depth > 0) continue;
      else if (code === LESS_THAN || code === UNDERSCORE || code === AMPERSAND) marks += 1;
    }
    cost += marks * line.length;
  }
  return cost;
}

/** Lists and quotes that one line may open; the parser's time grows with the square of them. */
const MAX_CONTAINERS = 50;
const DEEP_LINE = new RegExp(
  `^((?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${MAX_CONTAINERS}})[ \\t]*([->*+]|\\d{1,9}(?=[.)]))`,
  'gm',
);
/** A line across the page. */
const RULE = /^[ \t]*([-*])(?:[ \t]*\1)+[ \t]*$/;

/** The text with no line that opens too many lists and quotes: the inner ones are text. Says in which lines that was. */
export function withoutDeepLines(text: string): { text: string; lines: number[] } {
  const lines: number[] = [];
  if (!text.match(DEEP_LINE)) return { text, lines };
  const made = text.split('\n').map((line, index) => {
    const shown = RULE.test(line)
      ? line
      : line.replace(DEEP_LINE, (_, outer: string, mark: string) =>
          /\d/.test(mark) ? `${outer} ${mark}\\` : `${outer} \\${mark}`,
        );
    if (shown !== line) lines.push(index + 1);
    return shown;
  });
  return { text: made.join('\n'), lines };
}
