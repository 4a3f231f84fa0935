/** Normalizes line ends to `\n` and removes the byte order mark. */
export function normalizeText(text: string): string {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return bare.includes('\r') ? bare.replace(/\r\n?/g, '\n') : bare;
}

/** Returns only the line breaks of a text: what is removed must not move the lines after it. */
export function onlyLines(text: string): string {
  return text.replace(/[^\n]+/g, '');
}

/** Returns the number of line breaks in a text. */
export function lineCount(text: string): number {
  return text.split('\n').length - 1;
}

const FENCE = /^[ \t]*(?:>[ \t]?)*(`{3,}|~{3,})/;

/** Replaces every part of the text outside code fences by the result of `visit`. */
export function mapOutsideFences(
  text: string,
  visit: (stretch: string) => string,
  inside: (stretch: string) => string = (code) => code,
): string {
  if (!text.includes('```') && !text.includes('~~~')) return visit(text);
  let out = '';
  let stretch = '';
  let fence = '';
  for (const line of text.split(/(?<=\n)/)) {
    const mark = FENCE.exec(line)?.[1];
    const closes =
      fence !== '' &&
      mark !== undefined &&
      mark.startsWith(fence) &&
      line.trim().replace(/^[>\s]*/, '') === mark;
    const opens = fence === '' && mark !== undefined;
    if (opens) {
      out += visit(stretch);
      stretch = '';
      fence = mark;
    }
    stretch += line;
    if (closes) {
      out += inside(stretch);
      stretch = '';
      fence = '';
    }
  }
  return out + (fence === '' ? visit(stretch) : inside(stretch));
}

const VARIABLE = /(=?)\{\{[ \t]*([A-Za-z_][\w.-]*)[ \t]*\}\}/g;
const MARKUP: Record<string, string> = { '<': '&lt;', '{': '&#123;', '}': '&#125;' };

/** Returns text that shows what is written, instead of markup. */
export function markupAsText(text: string): string {
  return text.replace(/[<{}]/g, (char) => MARKUP[char] as string);
}

/** Code in a line, the id of a heading, what is not shown, or what MDX takes for markup. */
const MARKDOWN_ONLY =
  /`+|\{#[^{}\s]+\}[ \t]*$|<(?:!--|(?:script|style)\b)|<(?=https?:|mailto:|[^A-Za-z/!>\n])|\{/gm;
const HIDDEN_ENDS = new Map([
  ['<!--', '-->'],
  ['<script', '</script>'],
  ['<style', '</style>'],
]);

/**
 * Returns Markdown as MDX: braces are text; comments, scripts and styles are removed, line for
 * line. Other tags stay, because MDX has them too.
 */
export function markdownAsMdx(text: string): string {
  return mapOutsideFences(text, plainStretch);
}

/** Linear: after a mark without an end, later ones have none either. */
function plainStretch(text: string): string {
  const marks = new RegExp(MARKDOWN_ONLY);
  const unclosed = new Set<string>();
  const ticks = closingTicks(text);
  let out = '';
  let at = 0;
  for (let match = marks.exec(text); match; match = marks.exec(text)) {
    const [mark] = match;
    const isCode = mark.startsWith('`');
    const end = isCode ? mark : HIDDEN_ENDS.get(mark);
    const start = marks.lastIndex;
    const close = isCode
      ? (ticks.get(match.index) ?? -1)
      : end === undefined || unclosed.has(mark)
        ? -1
        : text.indexOf(end, start);
    if (close >= 0 && end !== undefined) {
      marks.lastIndex = close + end.length;
      const inside = text.slice(match.index, marks.lastIndex);
      out += text.slice(at, match.index) + (isCode ? inside : onlyLines(inside));
      at = marks.lastIndex;
    } else if (end !== undefined) unclosed.add(mark);
    else if (mark in MARKUP) {
      out += text.slice(at, match.index) + MARKUP[mark];
      at = start;
    }
  }
  return out + text.slice(at);
}

/** The next run of as many backticks, by the offset of each run. */
function closingTicks(text: string): Map<number, number> {
  const closing = new Map<number, number>();
  const last = new Map<number, number>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const before = last.get(run.length);
    if (before !== undefined) closing.set(before, index);
    last.set(run.length, index);
  }
  return closing;
}

/**
 * Replaces `{{name}}` by the site's variables in text, attributes and code. Unknown names stay,
 * because `{{…}}` is also template syntax of other languages.
 */
export function substituteVariables(
  text: string,
  variables: Readonly<Record<string, string>>,
): string {
  if (!text.includes('{{')) return text;
  return mapOutsideFences(
    text,
    (prose) => fillVariables(prose, variables, markupAsText),
    (code) => fillVariables(code, variables),
  );
}

/** The same in text that is not MDX, such as a title. */
export function fillVariables(
  text: string,
  variables: Readonly<Record<string, string>>,
  write = (value: string) => value,
): string {
  return text.replace(VARIABLE, (whole, equals: string, name: string) =>
    // `style={{color}}` is an object, not a variable.
    equals === '' && Object.hasOwn(variables, name) ? write(String(variables[name])) : whole,
  );
}
