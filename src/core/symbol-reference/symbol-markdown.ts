import { fence } from '../api-reference/markup/operation-markdown.ts';
import { section, Words } from '../api-reference/markup/operation-sections.ts';
import { codeSpan, fieldsMarkdown, typeSpan } from '../api-reference/markup/schema-markdown.ts';
import type { ContentSection } from '../content/page-content.ts';
import type { SymbolBlock, SymbolContent } from './symbol-document.ts';

/** A class has a section for each method up to this number; further ones join the section before. */
const MAX_SECTIONS = 200;

/** Returns the page of a symbol as clean Markdown, with every fact of its HTML. */
export function symbolMarkdown(content: SymbolContent): string {
  const parts = [headOf(content), ...content.blocks.map(blockMarkdown)];
  for (const sample of [...content.requests, ...content.responses]) parts.push(`## ${sample.label}`, fence(sample));
  return join(parts);
}

/** Returns the search sections of a symbol: one for its summary, and one for each of its headings. */
export function symbolSections(content: SymbolContent, anchors: ReadonlyMap<SymbolBlock, string>): ContentSection[] {
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
    const made = section(join(markdown), words.text(), heading ? anchors.get(heading) : '', heading?.text);
    if (heading && outer !== undefined && heading.depth === 3) made.headings = [outer, heading.text];
    sections.push(made);
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
      return block.markdown.trim();
    case 'deprecation':
      return block.markdown.trim() === '' ? '**Deprecated.**' : `**Deprecated:** ${block.markdown.trim()}`;
    case 'code':
      return fence(block.sample);
    case 'types': {
      const types = block.types.map((parts) => typeSpan(parts.map(({ text }) => text).join(''), parts));
      return `${block.label === undefined ? '' : `${block.label}: `}${types.join(', ')}`;
    }
    case 'fields':
      return fieldsMarkdown(block.fields);
  }
}

function labelsText({ labels = [], deprecated = false }: Extract<SymbolBlock, { kind: 'heading' }>): string {
  const all = [...labels, ...(deprecated ? ['deprecated'] : [])];
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}

function addWords(words: Words, block: SymbolBlock): void {
  if (block.kind === 'text' || block.kind === 'deprecation') words.add(block.markdown);
  else if (block.kind === 'fields') words.addFields(block.fields);
  else if (block.kind === 'types') words.add(block.types.map((parts) => parts.map(({ text }) => text).join('')).join(', '));
}

function join(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}
