import { methodBadge } from '@docent/format/api-reference/markup/endpoint-markup.ts';
import { addExamples } from '@docent/format/api-reference/markup/example-markup.ts';
import { examplesPlace } from '@docent/format/api-reference/markup/examples-place.ts';
import {
  createFieldWriter,
  type FieldWriter,
  fieldsMarkup,
  tagMarkup,
  typePartsMarkup,
  wordTagMarkup,
} from '@docent/format/api-reference/markup/field-markup.ts';
import { fence } from '@docent/format/api-reference/markup/operation-markdown.ts';
import { section, Words } from '@docent/format/api-reference/markup/operation-sections.ts';
import {
  headingPart,
  type RenderedApiPage,
} from '@docent/format/api-reference/markup/render-operation.ts';
import {
  codeSpan,
  fieldsMarkdown,
  paragraphs,
  typeSpan,
} from '@docent/format/api-reference/schemas/schema-markdown.ts';
import { calloutBox } from '@docent/format/content/components/callouts.ts';
import type { ContentSection } from '@docent/format/content/page/page-content.ts';
import type { PageRenderer } from '@docent/format/content/page/page-renderer.ts';
import { word, wordOrText } from '@docent/format/content/page/words.ts';
import { type Html, html, joinHtml, trustedHtml } from '@docent/format/html.ts';
import { type SymbolBlock, type SymbolContent, withoutSummary } from './symbol-document.ts';

/**
 * Renders the page of a symbol: its bar, its description, its parts; examples go to the right rail.
 * Never throws.
 * @param description the text of the page's header, which is not repeated
 */
export function renderSymbol(
  content: SymbolContent,
  page: PageRenderer,
  description?: string,
): RenderedApiPage {
  addExamples(page, content.requests, 'request-example');
  addExamples(page, content.responses, 'response-example');
  const writer = createFieldWriter(page);
  const anchors = new Map<SymbolBlock, string>();
  const blocks = withoutDescription(content.blocks, description);
  const parts = blocks.map((block) => blockMarkup(page, writer, block, anchors));
  const firstPart = blocks.findIndex(
    ({ kind }) => kind === 'heading' || kind === 'fields' || kind === 'types',
  );
  parts.splice(firstPart < 0 ? parts.length : firstPart, 0, examplesPlace);
  return {
    html: html`<div class="d-api">${symbolBar(content)}${joinHtml(parts)}</div>`,
    markdown: symbolMarkdown({ ...content, blocks }),
    sections: symbolSections(content, anchors),
  };
}

function withoutDescription(
  blocks: readonly SymbolBlock[],
  description: string | undefined,
): SymbolBlock[] {
  const first = blocks.findIndex(({ kind }) => kind === 'text' || kind === 'heading');
  return blocks.map((block, index) =>
    index === first && block.kind === 'text'
      ? { ...block, markdown: withoutSummary(block.markdown, description) }
      : block,
  );
}

function symbolBar({ badge, name, deprecated }: SymbolContent): Html {
  const tag = deprecated && html`<span class="d-endpoint-tag">${word('deprecated')}</span>`;
  return html`<div class="d-endpoint" data-component="symbol">${methodBadge(badge)}<code class="d-endpoint-path">${name}</code>${tag}</div>`;
}

function blockMarkup(
  page: PageRenderer,
  writer: FieldWriter,
  block: SymbolBlock,
  anchors: Map<SymbolBlock, string>,
): Html {
  switch (block.kind) {
    case 'heading': {
      const tags =
        (block.labels ?? []).map((label) => tagMarkup(label)).join('') +
        (block.deprecated ? wordTagMarkup('deprecated', 'warning') : '');
      const after =
        tags === '' ? undefined : html`<span class="d-heading-tags">${trustedHtml(tags)}</span>`;
      const heading = headingPart(page, block.depth, block.text, after);
      anchors.set(block, heading.id);
      return heading.html;
    }
    case 'label':
      return html`<p class="d-choices-title">${wordOrText(block.text)}</p>`;
    case 'text':
      return page.markdown(block.markdown);
    case 'deprecation': {
      const body =
        block.markdown.trim() === ''
          ? html`<p>${word('doNotUse')}</p>`
          : page.markdown(block.markdown);
      const icon = html`<i class="d-sign"></i>`;
      return calloutBox({
        kind: 'warning',
        label: 'Deprecated',
        icon,
        title: word('deprecatedTitle'),
        body,
      });
    }
    case 'code':
      return page.codeBlock({ language: block.sample.language, meta: '', code: block.sample.code });
    case 'types': {
      const types = block.types.map(
        (parts) => html`<code>${trustedHtml(typePartsMarkup(writer, parts))}</code>`,
      );
      const label = block.label !== undefined && html`<span>${wordOrText(block.label)}</span> `;
      return html`<p class="d-symbol-types">${label}${joinHtml(types.flatMap((typeMarkup) => [typeMarkup, html` `]))}</p>`;
    }
    case 'fields':
      return trustedHtml(fieldsMarkup(writer, block.fields, block.prefix));
  }
}

/**
 * A class has a section for each method up to this number; further ones join the section before.
 */
const MAX_SECTIONS = 200;

/** Returns the page of a symbol as clean Markdown, with every fact of its HTML. */
export function symbolMarkdown(content: SymbolContent): string {
  const parts = [headOf(content), ...content.blocks.map(blockMarkdown)];
  for (const sample of [...content.requests, ...content.responses])
    parts.push(`## ${sample.label}`, fence(sample));
  return paragraphs(parts);
}

/**
 * Returns the search sections of a symbol: one for its summary, and one for each of its headings.
 */
function symbolSections(
  content: SymbolContent,
  anchors: ReadonlyMap<SymbolBlock, string>,
): ContentSection[] {
  const sections: ContentSection[] = [];
  let heading: Extract<SymbolBlock, { kind: 'heading' }> | undefined;
  let outer: string | undefined;
  let markdown = [headOf(content)];
  let words = new Words().add(`${content.badge.toLowerCase()} ${content.name}`);
  const [sample] = content.requests;
  if (sample && sample.code.length <= 1500) markdown.push(fence(sample));
  const finish = () => {
    const isEmpty = heading !== undefined && markdown.length === 0;
    // A heading that only has subheadings has no text to index.
    if (isEmpty) return;
    const contentSection = section(
      paragraphs(markdown),
      words.text(),
      heading ? anchors.get(heading) : '',
      heading?.text,
    );
    if (heading && outer !== undefined && heading.depth === 3)
      contentSection.headings = [outer, heading.text];
    sections.push(contentSection);
  };
  for (const block of content.blocks) {
    if (block.kind === 'heading' && sections.length < MAX_SECTIONS) {
      finish();
      if (block.depth === 2) outer = block.text;
      heading = block;
      markdown = [];
      words = new Words();
      continue;
    }
    markdown.push(blockMarkdown(block));
    addWords(words, block);
  }
  finish();
  return sections;
}

function headOf({ badge, name, deprecated }: SymbolContent): string {
  return `${codeSpan(`${badge} ${name}`)}${deprecated ? '\n\n**Deprecated.**' : ''}`;
}

function blockMarkdown(block: SymbolBlock): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.depth)} ${block.text}${labelsText(block)}`;
    case 'label':
      return `**${block.text}**`;
    case 'text':
      return block.markdown;
    case 'deprecation':
      return block.markdown.trim() === ''
        ? '**Deprecated.**'
        : `**Deprecated:** ${block.markdown.trim()}`;
    case 'code':
      return fence(block.sample);
    case 'types': {
      const types = block.types.map((parts) =>
        typeSpan(parts.map(({ text }) => text).join(''), parts),
      );
      return `${block.label === undefined ? '' : `${block.label}: `}${types.join(', ')}`;
    }
    case 'fields':
      return fieldsMarkdown(block.fields);
  }
}

function labelsText({
  labels = [],
  deprecated = false,
}: Extract<SymbolBlock, { kind: 'heading' }>): string {
  const all = [...labels, ...(deprecated ? ['deprecated'] : [])];
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}

function addWords(words: Words, block: SymbolBlock): void {
  if (block.kind === 'text' || block.kind === 'deprecation') words.add(block.markdown);
  else if (block.kind === 'fields') words.addFields(block.fields);
  else if (block.kind === 'types')
    words.add(block.types.map((parts) => parts.map(({ text }) => text).join('')).join(', '));
}
