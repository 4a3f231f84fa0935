import type { ContentSection } from '../../content/page/page-content.ts';
import { CUT } from '../../json-value.ts';
import type { ContentView, ResponseView } from '../operation-contents.ts';
import type { CodeSample } from '../samples/code-samples.ts';
import { paragraphs } from '../schemas/schema-markdown.ts';
import type { SchemaField, SchemaView } from '../schemas/schema-view.ts';
import { fence, type OperationPieces } from './operation-markdown.ts';
import type { OperationView } from './operation-view.ts';

/** Ids of the headings that sections link to. */
export interface SectionAnchors {
  body?: string;
  responses?: string;
  callbacks?: string;
}

// Search indexes the words that name things; a whole schema would drown every other page.
const MAX_MARKDOWN_CHARACTERS = 8_000;
const MAX_TEXT_CHARACTERS = 5_000;
const LARGE_CHARACTERS = 400;
const MAX_SAMPLE_CHARACTERS = 1_500;

/**
 * Returns the search sections of an operation: one section, plus one each for a large body, large
 * responses and callbacks.
 * @param request shown with it but not indexed, because it is built from the indexed fields
 */
export function operationSections(
  view: OperationView,
  pieces: OperationPieces,
  summary: string | undefined,
  anchors: SectionAnchors,
  request?: CodeSample,
): ContentSection[] {
  const rest: ContentSection[] = [];
  const sample =
    request !== undefined && request.code.length <= MAX_SAMPLE_CHARACTERS ? fence(request) : '';
  const markdown = [
    `${view.method} ${view.route}`,
    summary,
    view.description,
    sample,
    ...pieces.parameters,
  ];
  const words = new Words().add(`${view.method} ${view.route}`).add(summary).add(view.description);
  for (const group of view.parameters) words.addFields(group.fields);
  const add = (
    title: string,
    anchor: string | undefined,
    text: string,
    sectionWords: Words,
    maxCharacters: number,
  ) => {
    if (text.length > maxCharacters) rest.push(section(text, sectionWords.text(), anchor, title));
    else {
      markdown.push(text);
      words.add(sectionWords.text());
    }
  };
  add(
    view.webhook ? 'Payload' : 'Body',
    anchors.body,
    pieces.body,
    new Words().addBody(view.body),
    LARGE_CHARACTERS,
  );
  let answers = '';
  for (const [index, { status }] of view.responses.entries())
    if (answers.length <= MAX_MARKDOWN_CHARACTERS)
      answers += `${index === 0 ? '' : '\n\n'}${status}: ${pieces.responses[index]}`;
  add(
    'Responses',
    anchors.responses,
    answers,
    new Words().addResponses(view.responses),
    LARGE_CHARACTERS,
  );
  const callbackWords = new Words();
  for (const { name, method, address, description, body, responses } of view.callbacks)
    callbackWords
      .add(name)
      .add(`${method} ${address}`)
      .add(description)
      .addBody(body)
      .addResponses(responses);
  add('Callbacks', anchors.callbacks, pieces.callbacks, callbackWords, 0);
  return [section(paragraphs(markdown), words.text()), ...rest];
}

/** A section of the given Markdown and the words by which it is found. */
export function section(
  markdown: string,
  text: string,
  anchor = '',
  heading?: string,
): ContentSection {
  const isLong = markdown.length > MAX_MARKDOWN_CHARACTERS;
  const cut = isLong ? markdown.slice(0, MAX_MARKDOWN_CHARACTERS) + CUT : markdown;
  return {
    anchor,
    headings: heading === undefined ? [] : [heading],
    markdown: cut,
    text,
    code: '',
  };
}

/**
 * Collects names and descriptions in reading order, up to a limit. Leaves out types and limits,
 * which readers do not search for.
 */
export class Words {
  private readonly parts: string[] = [];
  private charactersLeft = MAX_TEXT_CHARACTERS;

  add(markdown: string | undefined): this {
    if (markdown === undefined || markdown === '' || this.charactersLeft <= 0) return this;
    const text = plainText(markdown.slice(0, this.charactersLeft));
    this.parts.push(text);
    this.charactersLeft -= text.length + 1;
    return this;
  }

  addFields(fields: readonly SchemaField[]): this {
    for (const field of fields) {
      if (this.charactersLeft <= 0) break;
      this.add(field.name).addSchema(field.schema);
    }
    return this;
  }

  addSchema(schema: SchemaView): this {
    if (this.charactersLeft <= 0) return this;
    this.add(schema.description);
    if (schema.values.length > 0) this.add(schema.values.join(', '));
    this.addFields(schema.fields);
    for (const choice of schema.choices.flat()) this.add(choice.label).addSchema(choice.schema);
    return this;
  }

  addBody(body: OperationView['body']): this {
    return this.add(body?.description).addContents(body?.contents ?? []);
  }

  addResponses(responses: readonly ResponseView[]): this {
    for (const { status, description, headers, contents } of responses)
      this.add(status).add(description).addFields(headers).addContents(contents);
    return this;
  }

  private addContents(contents: readonly ContentView[]): this {
    for (const content of contents) this.addSchema(content.schema);
    return this;
  }

  text(): string {
    return this.parts.join(' ');
  }
}

function plainText(markdown: string): string {
  if (/^[\w .,;:()/-]*$/.test(markdown)) return markdown.trim();
  return markdown
    .replace(/!?\[([^\]]{0,300})\]\([^)\s]{0,500}\)/g, '$1')
    .replace(/(?<!\w)<\/?[a-z][^<>]{0,300}>/gi, ' ')
    .replace(/^[ \t]*(?:[-*+>]|#{1,6})[ \t]+/gm, '')
    .replace(/[`*]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
