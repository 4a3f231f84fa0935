import { anchorPart } from '../../anchors.ts';
import type { PageRenderer } from '../../content/page/page-renderer.ts';
import { type ApiWord, wordMark, wordOrText } from '../../content/page/words.ts';
import { escapeHtml } from '../../html.ts';
import {
  createDescriptionWriter,
  type DescriptionWriter,
  plainDescription,
} from '../descriptions.ts';
import type { SchemaChoice, SchemaField, SchemaView, TypePart } from '../schemas/schema-view.ts';

/** The page context for rendering fields. */
export interface FieldWriter extends Pick<PageRenderer, 'uniqueId' | 'addTocEntry'> {
  describe: DescriptionWriter;
  /** Escapes a site path for `href="…"`. */
  href(path: string): string;
  /** Whether nested fields are expanded initially. */
  isExpanded: boolean;
}

/** Returns the context of a page. Its descriptions are rendered once each. */
export function createFieldWriter(page: PageRenderer, isExpanded = false): FieldWriter {
  return {
    describe: createDescriptionWriter(page),
    uniqueId: (text) => page.uniqueId(text),
    addTocEntry: (...entry) => page.addTocEntry(...entry),
    href: (path) => page.href(path),
    isExpanded,
  };
}

// Deeper fields have no anchor: they are not linked to, and a page can contain thousands.
const MAX_ANCHOR_DEPTH = 3;

/**
 * Renders fields like the `ParamField` component, with nested fields collapsed. Returns plain
 * strings instead of `html`, because a page can have thousands of fields.
 * @param prefix first part of the ids: `body`, `response`, `parameter`
 */
export function fieldsMarkup(
  writer: FieldWriter,
  fields: readonly SchemaField[],
  prefix: string,
  depth = 0,
): string {
  let out = '';
  for (const field of fields)
    out += fieldMarkup(
      writer,
      field,
      depth < MAX_ANCHOR_DEPTH ? `${prefix}-${anchorPart(field.name)}` : prefix,
      depth,
    );
  return out;
}

/** The contents of a schema without a surrounding field: its facts, fields and alternatives. */
export function schemaMarkup(
  writer: FieldWriter,
  schema: SchemaView,
  prefix: string,
  depth = 0,
): string {
  return (
    detailsMarkup(writer, schema) +
    elsewhereMarkup(writer, schema) +
    fieldsMarkup(writer, schema.fields, prefix, depth) +
    choicesMarkup(writer, schema, prefix, depth)
  );
}

/** A label in the head of a field. */
export function tagMarkup(text: string): string {
  return `<span class="d-prop-tag">${escapeHtml(text)}</span>`;
}

/** The same for a built-in word, which is translated to the language of the page. */
export function wordTagMarkup(name: ApiWord, tone?: 'danger' | 'warning'): string {
  return `<span class="d-prop-tag"${tone === undefined ? '' : ` data-tone="${tone}"`}>${wordMark(name)}</span>`;
}

function fieldMarkup(writer: FieldWriter, field: SchemaField, path: string, depth: number): string {
  const { schema } = field;
  const id = depth < MAX_ANCHOR_DEPTH ? writer.uniqueId(path) : undefined;
  const name = `<code>${escapeHtml(field.name)}</code>`;
  const link =
    id === undefined
      ? `<span class="d-prop-name">${name}</span>`
      : `<a class="d-prop-name" href="#${escapeHtml(id)}">${name}</a>`;
  const head =
    schema.labelsBefore.map(tagMarkup).join('') +
    link +
    typeMarkup(writer, schema) +
    (field.required ? wordTagMarkup('required', 'danger') : '') +
    flagsMarkup(schema) +
    schema.labelsAfter.map(tagMarkup).join('');
  const body = detailsMarkup(writer, schema) + insideMarkup(writer, schema, path, depth + 1);
  const attribute = id === undefined ? '' : ` id="${escapeHtml(id)}"`;
  return `<div class="d-field"${attribute}><div class="d-prop-head">${head}</div>${body === '' ? '' : `<div class="d-prop-body">${body}</div>`}</div>`;
}

function typeMarkup(writer: FieldWriter, { type, typeParts }: SchemaView): string {
  const inner = typeParts ? typePartsMarkup(writer, typeParts) : escapeHtml(type);
  return inner === '' ? '' : `<span class="d-prop-type">${inner}</span>`;
}

/** A type whose names link to their pages. */
export function typePartsMarkup(writer: FieldWriter, parts: readonly TypePart[]): string {
  return parts
    .map(({ text, path }) => {
      const inner = escapeHtml(text);
      return path === undefined ? inner : `<a href="${writer.href(path)}">${inner}</a>`;
    })
    .join('');
}

function flagsMarkup(schema: SchemaView): string {
  return (
    (schema.deprecated ? wordTagMarkup('deprecated', 'warning') : '') +
    (schema.readOnly ? wordTagMarkup('readOnly') : '') +
    (schema.writeOnly ? wordTagMarkup('writeOnly') : '')
  );
}

/** Values that are always visible. */
const LONG_LIST = 40;

function detailsMarkup(writer: FieldWriter, schema: SchemaView): string {
  let out = schema.description === undefined ? '' : writer.describe(schema.description);
  if (schema.values.length > 0) {
    const more = schema.moreValueCount > 0 ? ` and ${schema.moreValueCount} more` : '';
    const values =
      schema.values.map((value) => `<code>${escapeHtml(value)}</code>`).join(' ') + more;
    out +=
      schema.values.length > LONG_LIST
        ? `<details class="d-prop-values"><summary>One of ${schema.values.length + schema.moreValueCount} values</summary>${values}</details>`
        : `<p class="d-prop-values">${wordMark('oneOf')} ${values}</p>`;
  }
  if (schema.facts.length > 0) {
    const facts = schema.facts.map(
      ({ label, value }) =>
        `<span>${wordOrText(label).value}: <code>${escapeHtml(value)}</code></span>`,
    );
    out += `<p class="d-prop-facts">${facts.join(' ')}</p>`;
  }
  for (const note of schema.notes) out += `<p class="d-prop-note">${wordOrText(note).value}</p>`;
  return out;
}

/** Nested fields and alternatives, collapsed. */
function insideMarkup(
  writer: FieldWriter,
  schema: SchemaView,
  path: string,
  depth: number,
): string {
  let out = elsewhereMarkup(writer, schema);
  if (schema.fields.length > 0) {
    const label = propertiesLabel(schema.fields.length);
    const fields = fieldsMarkup(writer, schema.fields, path, depth);
    out += `<details class="d-prop-children"${writer.isExpanded ? ' open' : ''}><summary>${wordMark('properties', label)}</summary><div>${fields}</div></details>`;
  }
  return out + choicesMarkup(writer, schema, path, depth);
}

function propertiesLabel(count: number): string {
  return count === 1 ? '1 property' : `${count} properties`;
}

/** The link to the page that describes a schema's fields, with their names. */
function elsewhereMarkup(writer: FieldWriter, { elsewhere }: SchemaView): string {
  if (!elsewhere) return '';
  const label = wordMark('properties', propertiesLabel(elsewhere.fieldCount));
  const names = elsewhere.names === '' ? '' : `<br><code>${escapeHtml(elsewhere.names)}</code>`;
  return `<p class="d-prop-elsewhere"><a href="${writer.href(elsewhere.path)}"><code>${escapeHtml(elsewhere.name)}</code> ${label}</a>${names}</p>`;
}

function choicesMarkup(
  writer: FieldWriter,
  schema: SchemaView,
  path: string,
  depth: number,
): string {
  let out = '';
  for (const group of schema.choices) {
    let choices = '';
    for (const [index, choice] of group.entries())
      choices += choiceMarkup(
        writer,
        choice,
        `${path}-one-of-${index}`,
        depth,
        depth === 0 && index === 0,
      );
    out += `<div class="d-choices"><p class="d-choices-title">${wordMark('oneOf')}</p>${choices}</div>`;
  }
  return out;
}

function choiceMarkup(
  writer: FieldWriter,
  choice: SchemaChoice,
  path: string,
  depth: number,
  isOpen: boolean,
): string {
  const { schema, label } = choice;
  const type =
    schema.type === label ? '' : `<span class="d-prop-type">${escapeHtml(schema.type)}</span>`;
  const head = `<span class="d-choice-name">${escapeHtml(label)}</span>${type}`;
  const body = schemaMarkup(writer, schema, path, depth + 1);
  if (body === '') return `<p class="d-choice d-choice-plain">${head}</p>`;
  return `<details class="d-choice"${isOpen ? ' open' : ''}><summary>${head}</summary><div>${body}</div></details>`;
}

/** The markup of a part, with all that a page answered while it was rendered. */
interface Made {
  markup: string;
  isExpanded: boolean;
  ids: { text: string; id: string }[];
  links: Map<string, string>;
  /** Descriptions that are not the same on every page. */
  texts: Map<string, string>;
  entries: Parameters<PageRenderer['addTocEntry']>[];
}

const madeParts = new WeakMap<object, Made>();

/**
 * Renders a part that several pages show only once, as long as the pages answer the same: with
 * equal ids, links and descriptions.
 * @param part the view from which `render` makes the part
 */
export function sharedMarkup(
  part: object,
  page: FieldWriter,
  render: (writer: FieldWriter) => string,
): string {
  const cachedPart = madeParts.get(part);
  const ids = cachedPart?.ids.map(({ text }) => page.uniqueId(text)) ?? [];
  if (cachedPart && hasSameAnswers(cachedPart, page, ids)) {
    for (const entry of cachedPart.entries) page.addTocEntry(...entry);
    return cachedPart.markup;
  }
  const newPart: Made = {
    markup: '',
    isExpanded: page.isExpanded,
    ids: [],
    links: new Map(),
    texts: new Map(),
    entries: [],
  };
  const markup = render({
    ...page,
    // The ids that were just taken to compare them are those of the part, which takes them in the
    // same order.
    uniqueId: (text) =>
      keep(newPart.ids, { text, id: ids[newPart.ids.length] ?? page.uniqueId(text) }).id,
    href: (path) => kept(newPart.links, path, page.href),
    describe: (text) => plainDescription(text) ?? kept(newPart.texts, text, page.describe),
    addTocEntry: (...entry) => page.addTocEntry(...keep(newPart.entries, entry)),
  });
  // V8 joins the pieces of a text when it is first read: here once, not on each page that contains
  // it.
  newPart.markup = markup.trim();
  // A description with headings takes ids of its own.
  if (newPart.texts.values().every((text) => !text.includes(' id='))) madeParts.set(part, newPart);
  return newPart.markup;
}

function hasSameAnswers(cachedPart: Made, page: FieldWriter, ids: readonly string[]): boolean {
  return (
    cachedPart.isExpanded === page.isExpanded &&
    cachedPart.ids.every(({ id }, index) => id === ids[index]) &&
    cachedPart.links.entries().every(([path, link]) => page.href(path) === link) &&
    cachedPart.texts.entries().every(([text, markup]) => page.describe(text) === markup)
  );
}

function keep<Item>(list: Item[], item: Item): Item {
  list.push(item);
  return item;
}

function kept(
  answers: Map<string, string>,
  question: string,
  ask: (question: string) => string,
): string {
  const answer = answers.get(question) ?? ask(question);
  answers.set(question, answer);
  return answer;
}
