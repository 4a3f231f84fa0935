import { IdRegister, slugOf } from '@docent/format/content/page/page-anchors.ts';
import type { TocEntry } from '@docent/format/content/page/page-content.ts';
import type { PageRenderer } from '@docent/format/content/page/page-renderer.ts';
import { emptyHtml, escapeHtml, type Html, html } from '@docent/format/html.ts';

/** A page that shows Markdown and code as escaped text and records the calls. */
export interface FakePageRenderer extends PageRenderer {
  readonly toc: TocEntry[];
  readonly aside: string[];
  readonly needed: string[];
  /** Codes of the warnings. */
  readonly warnings: string[];
}

/** Creates a `PageRenderer` without a parser and a highlighter, for tests of code that uses one. */
export function fakePageRenderer(): FakePageRenderer {
  const ids = new IdRegister();
  const toc: TocEntry[] = [];
  const aside: string[] = [];
  const needed: string[] = [];
  const warnings: string[] = [];
  return {
    toc,
    aside,
    needed,
    warnings,
    render: () => emptyHtml,
    inlineMarkdown: (text) => html`${text}`,
    markdown: (text) => html`<p>${text}</p>`,
    uniqueId: (text) => ids.claim(slugOf(text)),
    addTocEntry: (depth, id, text) => void toc.push({ depth, id, text }),
    icon: () => emptyHtml,
    codeBlock: (block) =>
      html`<pre data-language="${block.language}" data-meta="${block.meta}">${block.code}</pre>`,
    href: (target) => escapeHtml(target),
    src: (target) => escapeHtml(target),
    need: (element) => void needed.push(element),
    addAside: (markup: Html) => void aside.push(markup.value),
    warn: (code) => void warnings.push(code),
  };
}
