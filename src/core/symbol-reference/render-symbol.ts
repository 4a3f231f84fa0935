import { createDescriptionWriter } from '../api-reference/descriptions.ts';
import { methodBadge } from '../api-reference/markup/endpoint-markup.ts';
import { exampleGroup } from '../api-reference/markup/example-markup.ts';
import { examplesPlace } from '../api-reference/markup/examples-place.ts';
import {
  type FieldWriter,
  fieldsMarkup,
  tagMarkup,
  typePartsMarkup,
  wordTagMarkup,
} from '../api-reference/markup/field-markup.ts';
import { headingPart, type RenderedApiPage } from '../api-reference/markup/render-operation.ts';
import { calloutBox } from '../content/components/callouts.ts';
import type { PageRenderer } from '../content/page-renderer.ts';
import { word, wordOrText } from '../content/words.ts';
import { type Html, html, joinHtml, trustedHtml } from '../html.ts';
import { type SymbolBlock, type SymbolContent, withoutSummary } from './symbol-document.ts';
import { symbolMarkdown, symbolSections } from './symbol-markdown.ts';

/**
 * Renders the page of a symbol: its bar, its description, its parts; examples go to the right rail. Never throws.
 * @param description the text of the page's header, which is not repeated
 */
export function renderSymbol(content: SymbolContent, page: PageRenderer, description?: string): RenderedApiPage {
  for (const group of [
    exampleGroup(page, content.requests, 'request-example'),
    exampleGroup(page, content.responses, 'response-example'),
  ]) {
    if (group) page.addAside(group);
  }
  const writer: FieldWriter = {
    describe: createDescriptionWriter(page),
    uniqueId: (text) => page.uniqueId(text),
    href: (path) => page.href(path),
  };
  const anchors = new Map<SymbolBlock, string>();
  const blocks = withoutDescription(content.blocks, description);
  const parts = blocks.map((block) => blockMarkup(page, writer, block, anchors));
  const firstPart = blocks.findIndex(({ kind }) => kind === 'heading' || kind === 'fields' || kind === 'types');
  parts.splice(firstPart < 0 ? parts.length : firstPart, 0, examplesPlace);
  return {
    html: html`<div class="d-api">${symbolBar(content)}${joinHtml(parts)}</div>`,
    markdown: symbolMarkdown({ ...content, blocks }),
    sections: symbolSections(content, anchors),
  };
}

function withoutDescription(blocks: readonly SymbolBlock[], description: string | undefined): SymbolBlock[] {
  const first = blocks.findIndex(({ kind }) => kind === 'text' || kind === 'heading');
  return blocks.map((block, index) =>
    index === first && block.kind === 'text' ? { ...block, markdown: withoutSummary(block.markdown, description) } : block,
  );
}

function symbolBar({ badge, name, deprecated }: SymbolContent): Html {
  const tag = deprecated && html`<span class="d-endpoint-tag">${word('deprecated')}</span>`;
  return html`<div class="d-endpoint" data-component="symbol">${methodBadge(badge)}<code class="d-endpoint-path">${name}</code>${tag}</div>`;
}

function blockMarkup(page: PageRenderer, writer: FieldWriter, block: SymbolBlock, anchors: Map<SymbolBlock, string>): Html {
  switch (block.kind) {
    case 'heading': {
      const tags =
        (block.labels ?? []).map((label) => tagMarkup(label)).join('') +
        (block.deprecated ? wordTagMarkup('deprecated', 'warning') : '');
      const after = tags === '' ? undefined : html`<span class="d-heading-tags">${trustedHtml(tags)}</span>`;
      const heading = headingPart(page, block.depth, block.text, after);
      anchors.set(block, heading.id);
      return heading.html;
    }
    case 'label':
      return html`<p class="d-choices-title">${wordOrText(block.text)}</p>`;
    case 'text':
      return page.markdown(block.markdown);
    case 'deprecation': {
      const body = block.markdown.trim() === '' ? html`<p>${word('doNotUse')}</p>` : page.markdown(block.markdown);
      const icon = html`<i class="d-sign"></i>`;
      return calloutBox({ kind: 'warning', label: 'Deprecated', icon, title: word('deprecatedTitle'), body });
    }
    case 'code':
      return page.codeBlock({ language: block.sample.language, meta: '', code: block.sample.code });
    case 'types': {
      const types = block.types.map((parts) => html`<code>${trustedHtml(typePartsMarkup(writer, parts))}</code>`);
      const label = block.label !== undefined && html`<span>${wordOrText(block.label)}</span> `;
      return html`<p class="d-symbol-types">${label}${joinHtml(types.flatMap((one) => [one, html` `]))}</p>`;
    }
    case 'fields':
      return trustedHtml(fieldsMarkup(writer, block.fields, block.prefix));
  }
}
