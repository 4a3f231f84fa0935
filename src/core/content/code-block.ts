import { escapeHtml, type Html, html, trustedHtml } from '../html.ts';
import { type LineMark, takeLineMarks } from './code-block-marks.ts';
import { type CodeMeta, inRanges, parseCodeMeta } from './code-meta.ts';
import type { CodeBlockInput, HighlightedToken, Highlighter, PageRenderer } from './page-renderer.ts';

/** Blocks that may be collapsed are, from this many lines on. */
const EXPANDABLE_LINES = 14;

/**
 * A block of code with its frame: title bar, highlighted lines, marks on lines. The copy button is made by the
 * element in the browser, where it can work. A `mermaid` block shows its source until a script draws it.
 */
export function renderCodeBlock(block: CodeBlockInput, page: PageRenderer, highlighter: Highlighter): Html {
  const meta = parseCodeMeta(block.language, block.meta);
  const source = block.code.replaceAll('\r\n', '\n').replace(/\n$/, '');
  if (meta.language.toLowerCase() === 'mermaid') return renderDiagram(source, page);
  page.need('docent-code');
  const { code, marks } = takeLineMarks(source);
  const lines = highlighter.highlight(code, meta.language);
  const marked = marks.size > 0 || meta.highlight.length > 0 || meta.focus.length > 0;
  const body = marked || meta.lines ? linesInSpans(lines, meta, marks) : plainLines(lines);
  const attrs = trustedHtml(blockAttributes(meta, lines.length, marked && (meta.focus.length > 0 || hasMark(marks, 'focus'))));
  const language = /^[\w+#.-]{1,40}$/.test(meta.language) ? html` class="language-${meta.language.toLowerCase()}"` : undefined;
  return html`<docent-code class="d-code" data-component="code-block"${attrs}>${block.inGroup ? undefined : titleBar(meta, page)}<pre tabindex="0"><code${language}>${trustedHtml(body)}</code></pre></docent-code>`;
}

function renderDiagram(source: string, page: PageRenderer): Html {
  page.need('docent-mermaid');
  return html`<docent-mermaid class="d-mermaid" data-component="mermaid"><pre tabindex="0">${source}</pre></docent-mermaid>`;
}

function titleBar(meta: CodeMeta, page: PageRenderer): Html | undefined {
  if (meta.title === undefined) return undefined;
  const icon = meta.icon === undefined ? undefined : page.icon(meta.icon);
  return html`<div class="d-code-bar">${icon}<span class="d-code-title">${meta.title}</span></div>`;
}

/** All values are our own words, so nothing has to be escaped. */
function blockAttributes(meta: CodeMeta, lineCount: number, focused: boolean): string {
  let out = '';
  if (meta.lines) out += ` data-lines="${String(lineCount).length}"`;
  if (meta.wrap) out += ' data-wrap';
  if (focused) out += ' data-focus';
  if (!meta.copy) out += ' data-nocopy';
  if (meta.expandable && lineCount >= EXPANDABLE_LINES) out += ' data-expandable';
  return out;
}

function hasMark(marks: ReadonlyMap<number, ReadonlySet<LineMark>>, mark: LineMark): boolean {
  for (const set of marks.values()) if (set.has(mark)) return true;
  return false;
}

/** Most blocks mark no line: then a line needs no element of its own. */
function plainLines(lines: readonly HighlightedToken[][]): string {
  let out = '';
  for (let i = 0; i < lines.length; i++) out += (i === 0 ? '' : '\n') + lineHtml(lines[i] as HighlightedToken[]);
  return out;
}

function linesInSpans(
  lines: readonly HighlightedToken[][],
  meta: CodeMeta,
  marks: ReadonlyMap<number, ReadonlySet<LineMark>>,
): string {
  let out = '';
  for (let i = 0; i < lines.length; i++) {
    let classes = 'line';
    const own = marks.get(i + 1);
    for (const mark of own ?? []) classes += ` ${mark}`;
    if (!own?.has('hl') && inRanges(meta.highlight, i + 1)) classes += ' hl';
    if (!own?.has('focus') && inRanges(meta.focus, i + 1)) classes += ' focus';
    out += `${i === 0 ? '' : '\n'}<span class="${classes}">${lineHtml(lines[i] as HighlightedToken[])}</span>`;
  }
  return out;
}

function lineHtml(tokens: readonly HighlightedToken[]): string {
  let out = '';
  for (const { text, kind } of tokens) out += kind === 0 ? escapeHtml(text) : `<span class="k${kind}">${escapeHtml(text)}</span>`;
  return out;
}
