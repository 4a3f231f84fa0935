import { type Html, html, trustedHtml } from '../html.ts';
import type { CodeMeta } from './code/code-meta.ts';
import type { PageRenderer } from './page-renderer.ts';

const PLACEMENTS = new Set(['top-left', 'top-right', 'bottom-left', 'bottom-right']);
const MIN_REM_LENGTH = 7;
const TALLEST_REM = 40;

/** A diagram: its source as readable text until a script draws it in its place. */
export function renderDiagram(source: string, meta: CodeMeta, page: PageRenderer): Html {
  page.need('docent-mermaid');
  const { placement, actions } = meta;
  let attrs = '';
  if (placement !== undefined && PLACEMENTS.has(placement)) attrs += ` data-placement="${placement}"`;
  if (actions !== undefined) attrs += ` data-actions="${actions}"`;
  attrs += ` style="--d-diagram-height:${diagramHeightRem(source)}rem"`;
  const title = meta.title === undefined ? undefined : html`<figcaption>${meta.title}</figcaption>`;
  return html`<docent-mermaid class="d-mermaid" data-component="mermaid"${trustedHtml(attrs)}><figure><pre tabindex="0"><code class="language-mermaid">${source}</code></pre>${title}</figure></docent-mermaid>`;
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
    .filter((line) => /\S/.test(line) && !/^\s*(?:%%|style |classDef |class |click |end\s*$)/.test(line));
  const kind = lines[0]?.trim() ?? '';
  const [, baseRem, lineRem] = KINDS.find(([pattern]) => pattern.test(kind)) ?? OTHER_KIND;
  return Math.round(Math.min(TALLEST_REM, Math.max(MIN_REM_LENGTH, baseRem + (lines.length - 1) * lineRem)));
}
