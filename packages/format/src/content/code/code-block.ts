import { attributes, type Html, html, trustedHtml } from '../../html.ts';
import type {
  CodeBlockInput,
  ExplainedCode,
  Highlighter,
  PageRenderer,
} from '../page/page-renderer.ts';
import { codeLines, takeLineMarks } from './code-lines.ts';
import { type CodeMeta, parseCodeMeta } from './code-meta.ts';
import { diagramFault } from './diagram-kind.ts';

const EXPANDABLE_LINES = 14;

/**
 * Renders a code block with its frame: title bar, highlighted lines, line marks, types at names. A
 * custom element adds the copy button in the browser, where it can work. A `mermaid` block is a
 * diagram.
 */
export function renderCodeBlock(
  block: CodeBlockInput,
  page: PageRenderer,
  highlighter: Highlighter,
): Html {
  const meta = parseCodeMeta(block.language, block.meta);
  const source = block.code.replaceAll('\r\n', '\n').replace(/\n$/, '');
  if (meta.language.toLowerCase() === 'mermaid') return renderDiagram(source, meta, block, page);
  page.need('docent-code');
  const explained = meta.twoslash
    ? explain(source, meta.language, block, page, highlighter)
    : undefined;
  const { code, marks, words } = takeLineMarks(explained?.code ?? source);
  const lines = highlighter.highlight(code, meta.language);
  // Removed comments shift the lines and the notes on them.
  const isMoved = explained !== undefined && explained.code.split('\n').length !== lines.length;
  const body = codeLines(lines, { meta, marks, words, explained: isMoved ? undefined : explained });
  const hasFocus = meta.focus.length > 0 || marks.values().some((set) => set.has('focus'));
  const attrs = attributes({
    'data-lines': meta.lines ? String(lines.length).length : undefined,
    'data-wrap': meta.wrap,
    'data-focus': hasFocus,
    'data-nocopy': !meta.copy,
    'data-expandable': meta.expandable && lines.length >= EXPANDABLE_LINES,
  });
  const language = /^[\w+#.-]{1,40}$/.test(meta.language)
    ? html` class="language-${meta.language.toLowerCase()}"`
    : undefined;
  const bar = block.inGroup ? undefined : titleBar(meta, block, page);
  return html`<docent-code class="d-code code-block" data-component="code-block"${attrs}>${bar}<pre tabindex="0" data-component-part="code-block-root"><code${language}>${trustedHtml(body)}</code></pre></docent-code>`;
}

function explain(
  source: string,
  language: string,
  block: CodeBlockInput,
  page: PageRenderer,
  highlighter: Highlighter,
): ExplainedCode | undefined {
  const explained = highlighter.explain?.(source, language);
  if (explained?.problem !== undefined) {
    const remedy = 'Correct the code, declare its external names, or remove "twoslash".';
    page.warn(
      'bad-twoslash',
      `The types in a code block cannot be shown: ${explained.problem}`,
      remedy,
      block,
    );
    return { ...explained, code: withoutNotation(source) };
  }
  return explained;
}

/** Code without the comments of Twoslash and without what they cut away. */
function withoutNotation(source: string): string {
  const lines = source.split('\n');
  const marked = (name: RegExp): number => lines.findLastIndex((line) => name.test(line.trim()));
  const end = marked(/^\/\/ ?---cut-after---$/);
  const visibleLines = lines.slice(
    marked(/^\/\/ ?---cut(?:-before)?---$/) + 1,
    end === -1 ? undefined : end,
  );
  let isCut = false;
  const kept = visibleLines.filter((line) => {
    const [, edge] = /^\/\/ ?---cut-(start|end)---$/.exec(line.trim()) ?? [];
    if (edge) isCut = edge === 'start';
    return !isCut && !edge && !/^\/\/(?: *\^[?|^]| ?@\w+(?::|$))/.test(line.trim());
  });
  return kept.join('\n');
}

function titleBar(meta: CodeMeta, block: CodeBlockInput, page: PageRenderer): Html | undefined {
  const icon = blockIcon(meta, block, page);
  if (meta.title === undefined && icon === undefined) return undefined;
  return html`<div class="d-src-bar" data-component-part="code-block-header">${icon}<span class="d-src-title" data-component-part="code-block-header-filename">${meta.title ?? meta.language}</span></div>`;
}

/** The icon of a block: the name in its options, or the one passed by a component. */
export function blockIcon(
  meta: CodeMeta,
  block: CodeBlockInput,
  page: PageRenderer,
): Html | undefined {
  const icon = block.icon ?? meta.icon;
  return icon === undefined ? undefined : page.icon(icon);
}

const PLACEMENTS = new Set(['top-left', 'top-right', 'bottom-left', 'bottom-right']);
const MIN_REM_LENGTH = 7;
const TALLEST_REM = 40;

/** A diagram: its source as readable text until a script draws it in its place. */
function renderDiagram(
  source: string,
  meta: CodeMeta,
  block: CodeBlockInput,
  page: PageRenderer,
): Html {
  const fault = diagramFault(source);
  if (fault) page.warn('mermaid-syntax', fault.message, fault.remedy, block);
  page.need('docent-mermaid');
  const { placement, actions } = meta;
  const attrs = attributes({
    'data-placement': placement !== undefined && PLACEMENTS.has(placement) && placement,
    'data-actions': actions === undefined ? undefined : String(actions),
    style: `--d-diagram-height:${diagramHeightRem(source)}rem`,
  });
  const title = meta.title === undefined ? undefined : html`<figcaption>${meta.title}</figcaption>`;
  return html`<docent-mermaid class="d-mermaid" data-component="mermaid"${attrs}><figure><pre tabindex="0"><code class="language-mermaid">${source}</code></pre>${title}</figure></docent-mermaid>`;
}

/** Height of each kind of diagram: minimum, and per line. Horizontal diagrams hardly grow. */
const KINDS: readonly [RegExp, baseRem: number, lineRem: number][] = [
  [/^(?:graph|flowchart)\s+(?:LR|RL)\b/, 7, 0.6],
  [/^(?:graph|flowchart|erDiagram)\b/, 4, 4],
  [/^sequenceDiagram\b/, 6, 2.4],
  [/^(?:pie|quadrantChart|xychart|radar|mindmap)/, 28, 0],
  [/^(?:gantt|gitGraph|timeline|journey|sankey)/, 10, 0.8],
];
const OTHER_KIND = [/^/, 4, 2.2] as const;

/** Estimates the height of the drawing, to reserve space for it. */
export function diagramHeightRem(source: string): number {
  const body = source.replace(/^\s*---[^\n]*\n[\s\S]*?\n[ \t]*---[^\n]*\n/, '');
  const lines = body
    .split('\n')
    .filter(
      (line) => /\S/.test(line) && !/^\s*(?:%%|style |classDef |class |click |end\s*$)/.test(line),
    );
  const kind = lines[0]?.trim() ?? '';
  const [, baseRem, lineRem] = KINDS.find(([pattern]) => pattern.test(kind)) ?? OTHER_KIND;
  return Math.round(
    Math.min(TALLEST_REM, Math.max(MIN_REM_LENGTH, baseRem + (lines.length - 1) * lineRem)),
  );
}
