import type { PageRenderer } from '../../content/page/page-renderer.ts';
import { html, joinHtml, trustedHtml } from '../../html.ts';
import { objectAt, valueAt } from '../../json-value.ts';
import type { ApiDocument } from '../api-document.ts';
import { exampleValue } from '../example-value.ts';
import { createSchemaReader, readSchema } from '../schemas/read-schema.ts';
import { codeSpan, factsText, paragraphs, schemaInside } from '../schemas/schema-markdown.ts';
import { addExamples } from './example-markup.ts';
import { createFieldWriter, fieldsMarkup, schemaMarkup } from './field-markup.ts';
import { fence } from './operation-markdown.ts';
import { section, Words } from './operation-sections.ts';
import type { RenderedApiPage } from './render-operation.ts';

/**
 * Renders the page of a data model (frontmatter `openapi-schema`, or one nested too deeply in
 * operations to be shown there).
 * @param options as for `createSchemaReader`
 * @returns undefined if the document has no schema of that name
 */
export function renderSchemaPage(
  document: ApiDocument,
  name: string,
  page: PageRenderer,
  options: Parameters<typeof createSchemaReader>[2] = {},
): RenderedApiPage | undefined {
  const schema = valueAt(objectAt(objectAt(document.root, 'components'), 'schemas'), name);
  if (schema === undefined) return undefined;
  const view = readSchema(createSchemaReader(document.root, 'both', options), schema);
  const writer = createFieldWriter(page);
  const example = exampleValue(document.root, schema, 'response');
  const sample = { language: 'json', label: name, code: JSON.stringify(example, null, 2) ?? '' };
  if (example !== undefined) addExamples(page, [sample], 'response-example');
  const { fields, ...rest } = view;
  const head = html`<p class="d-schema-type"><span class="d-prop-type">${view.type}</span></p>`;
  const parts = [
    head,
    trustedHtml(schemaMarkup(writer, { ...rest, fields: [] }, 'schema')),
    trustedHtml(fieldsMarkup(writer, fields, 'schema')),
  ];
  const markdown = [
    `Type: ${codeSpan(view.type)}`,
    view.description,
    factsText(view),
    schemaInside(view),
    example === undefined ? '' : `## Example\n\n${fence(sample)}`,
  ];
  return {
    html: html`<div class="d-api">${joinHtml(parts)}</div>`,
    markdown: paragraphs(markdown),
    sections: [
      section(
        paragraphs([name, ...markdown.slice(1, 4)]),
        new Words().add(name).addSchema(view).text(),
      ),
    ],
  };
}
