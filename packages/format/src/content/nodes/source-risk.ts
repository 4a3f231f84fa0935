/**
 * The native parser is recursive, and extremely nested source overflows its stack, which no `catch`
 * can stop. The depth of a text is known only after parsing, so this limits the number of
 * characters that could nest. At the limit, the deepest text needs about two thirds of the 4 MB of
 * a thread's stack.
 */
export const MAX_RISK = 7000;

/**
 * The same for pure Markdown or HTML: nothing overflows there, but time grows with the square of
 * the depth.
 */
export const MAX_MARKUP_RISK = 20_000;

const WEIGHTS = new Uint8Array(128);
for (const sign of '([{') WEIGHTS[sign.charCodeAt(0)] = 5;
for (const sign of '!?=~<>*+-') WEIGHTS[sign.charCodeAt(0)] = 1;
WEIGHTS[58] = 2;

const NESTING_WORDS =
  /\b(?:new|typeof|await|yield|void|delete|async|else|if|do|case|for|while|with)\b/g;

/** Returns an upper bound of the nesting in a text. */
export function nestingRisk(text: string): number {
  let risk = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) risk += WEIGHTS[code] as number;
  }
  // Shorter texts have no room for relevant keywords.
  if (text.length > MAX_RISK * 2) risk += text.match(NESTING_WORDS)?.length ?? 0;
  return risk;
}

/**
 * Maximum cost of a page's lines, as counted by `lineCost`; the parser takes a few seconds for it.
 */
export const MAX_LINE_COST = 1_000_000_000;

const EXPRESSION_COST = 10;
const [OPEN_BRACE, CLOSE_BRACE, LESS_THAN, UNDERSCORE, AMPERSAND] = [...'{}<_&'].map((sign) =>
  sign.charCodeAt(0),
);

/** Shorter lines are always safe, regardless of their content. */
const CHEAP_LINE = 2000;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;

/**
 * The parser rereads a line from its beginning for each expression, tag, mark and entity; MDX
 * expressions take ten times as long.
 */
export function lineCost(text: string, isMarkdown: boolean): number {
  let cost = 0;
  let fence = '';
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === '') fence = mark ?? '';
    else if (mark?.startsWith(fence)) fence = '';
    if (fence !== '' || line.length < CHEAP_LINE) continue;
    let marks = 0;
    // The inside of an expression does not count separately.
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

/** Maximum lists and quotes that one line may open; the parser's time grows with their square. */
const MAX_CONTAINERS = 50;
const DEEP_LINE = new RegExp(
  `^((?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${MAX_CONTAINERS}})[ \\t]*([->*+]|\\d{1,9}(?=[.)]))`,
  'gm',
);
const RULE = /^[ \t]*([-*])(?:[ \t]*\1)+[ \t]*$/;

/**
 * Turns the inner lists and quotes of lines that open too many into text. Returns the affected
 * lines.
 */
export function withoutDeepLines(text: string): { text: string; lines: number[] } {
  const lines: number[] = [];
  if (!text.match(DEEP_LINE)) return { text, lines };
  const safeLines = text.split('\n').map((line, index) => {
    const safeLine = RULE.test(line)
      ? line
      : line.replace(DEEP_LINE, (_, outer: string, mark: string) =>
          /\d/.test(mark) ? `${outer} ${mark}\\` : `${outer} \\${mark}`,
        );
    if (safeLine !== line) lines.push(index + 1);
    return safeLine;
  });
  return { text: safeLines.join('\n'), lines };
}
