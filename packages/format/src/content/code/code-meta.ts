/** From the first to the last line, both counted from 1 and included. */
export interface LineRange {
  from: number;
  to: number;
}

/** The parsed info string of a code fence. */
export interface CodeMeta {
  /** As written, without attached options; empty if there is none. */
  language: string;
  title?: string;
  icon?: string;
  highlight: LineRange[];
  focus: LineRange[];
  lines: boolean;
  wrap: boolean;
  expandable: boolean;
  copy: boolean;
  /** Types shown at the names in the code. */
  twoslash: boolean;
  placement?: string;
  /** Whether a diagram has controls; by default its height decides. */
  actions?: boolean;
}

const SWITCHES = new Set(['lines', 'showLineNumbers', 'wrap', 'expandable', 'nocopy', 'twoslash']);
/** `[expandable]`, and titles in the syntax of other tools: `[app.ts]`. */
const BRACKETED = /^\[(.+)\]$/s;
const MAX_RANGES = 200;

/** The language, then what some authors write after it without a space: `js{1,3}`, `js:app.js`. */
const LANGUAGE = /^([^\s{}="',:]*)(.*)$/s;

/**
 * One piece of meta: an optional `key=`, then a quoted text, `{…}` with one level of nested braces,
 * or a word.
 */
const PIECE =
  /\s*(?:([A-Za-z_][\w-]*)=)?(?:"([^"]*)"|'([^']*)'|\{((?:[^{}]|\{[^{}]*\})*)\}|([^\s{]+)|(.))/gsy;

/**
 * Parses the info string of a fence: `language free title key=value key="value" key={value} {1,3-5}
 * switch`. Words that are not options form the title; unknown options are ignored.
 */
export function parseCodeMeta(language: string, meta: string): CodeMeta {
  const first = splitLanguage(language);
  const result: CodeMeta = {
    language: first.language,
    highlight: [],
    focus: [],
    lines: false,
    wrap: false,
    expandable: false,
    copy: true,
    twoslash: false,
  };
  const text = first.rest === '' ? meta : `${first.rest} ${meta}`;
  if (text.trim() === '') return result;
  const words: string[] = [];
  for (const match of text.matchAll(PIECE)) {
    const [, key, double, single, braced, word] = match;
    const value = double ?? single ?? braced ?? word;
    if (value === undefined) continue;
    if (key !== undefined) setOption(result, key, unquote(value));
    else if (braced !== undefined) result.highlight.push(...parseLineRanges(braced));
    else if (word !== undefined && isSwitch(word))
      setOption(result, word.replace(BRACKETED, '$1'), 'true');
    else words.push(value);
  }
  if (result.title === undefined && words.length > 0)
    result.title = words.join(' ').replace(BRACKETED, '$1');
  return result;
}

/**
 * Extracts the language from a fence's first word; the rest belongs to the options. A switch or an
 * option is not a language.
 */
export function splitLanguage(word: string): { language: string; rest: string } {
  const [, language = '', rest = ''] = LANGUAGE.exec(word) ?? [];
  if (rest.startsWith('=') || SWITCHES.has(language)) return { language: '', rest: word };
  return { language, rest: rest.replace(/^[:,]/, '') };
}

function isSwitch(word: string): boolean {
  return SWITCHES.has(word.replace(BRACKETED, '$1'));
}

/** `title={"x"}` and `lines={true}` mean the value inside the braces. */
function unquote(value: string): string {
  return value.trim().replace(/^(["'`])(.*)\1$/s, '$2');
}

function setOption(meta: CodeMeta, key: string, value: string): void {
  const on = value !== 'false' && value !== '0';
  if (key === 'title' || key === 'filename' || key === 'fileName')
    meta.title = value === 'null' ? undefined : value;
  else if (key === 'icon') meta.icon = value;
  else if (key === 'highlight') meta.highlight.push(...parseLineRanges(value));
  else if (key === 'focus') meta.focus.push(...parseLineRanges(value));
  else if (key === 'lines' || key === 'showLineNumbers') meta.lines = on;
  else if (key === 'wrap') meta.wrap = on;
  else if (key === 'expandable') meta.expandable = on;
  else if (key === 'nocopy') meta.copy = !on;
  else if (key === 'twoslash') meta.twoslash = on;
  else if (key === 'placement') meta.placement = value;
  else if (key === 'actions') meta.actions = on;
}

/**
 * Parses `1,3-5`, `[1, 3]`, `{1-2,5}`. Ignores what is not a number and everything after 200
 * ranges.
 */
export function parseLineRanges(text: string): LineRange[] {
  const ranges: LineRange[] = [];
  for (const [, from, to] of text.matchAll(/(\d{1,7})(?:\s*(?:-|\.\.|:)\s*(\d{1,7}))?/g)) {
    const start = Number(from);
    const end = to === undefined ? start : Number(to);
    ranges.push({ from: Math.min(start, end), to: Math.max(start, end) });
    if (ranges.length === MAX_RANGES) break;
  }
  return ranges;
}

/** Whether a line (from 1) is in one of the ranges. */
export function inRanges(ranges: readonly LineRange[], line: number): boolean {
  return ranges.some((range) => line >= range.from && line <= range.to);
}
