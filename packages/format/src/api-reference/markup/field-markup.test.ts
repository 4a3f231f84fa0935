import { expect, test } from 'vitest';
import { fakePageRenderer } from '../../../../../test/support/fake-page-renderer.ts';
import type { ApiDocument } from '../api-document.ts';
import { parseApiDocument } from '../parse-api-document.ts';
import { readOperationView } from './operation-view.ts';
import { type RenderOperationOptions, renderOperation } from './render-operation.ts';

const responses = {
  200: {
    description: 'See [all](all)',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
  },
  404: { description: 'No user' },
};
const tree = {
  openapi: '3.1.0',
  components: {
    schemas: {
      User: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          owner: { type: 'object', properties: manyFields(5) },
        },
      },
    },
  },
  paths: {
    '/users': {
      get: { responses },
      post: { responses },
      put: { description: 'x'.repeat(600_000), responses },
    },
  },
};

function manyFields(count: number): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`field_${index}`, { type: 'string' }]),
  );
}

function read(): ApiDocument {
  return parseApiDocument(JSON.stringify(tree), 'x.json').document as ApiDocument;
}

/** The page of an operation in a document of which others were rendered before, or none. */
function render(
  document: ApiDocument,
  index: number,
  prepare = (_: ReturnType<typeof fakePageRenderer>) => {},
  expand = false,
) {
  const page = fakePageRenderer();
  prepare(page);
  const operation = document.operations[index];
  if (!operation) throw new Error('The document has no such operation.');
  const settings = { expandParams: expand } as NonNullable<RenderOperationOptions['settings']>;
  const { html, markdown } = renderOperation(document, operation, page, { settings });
  return { html: html.value, markdown, toc: page.toc };
}

test('operations with the same responses share their view, unless a page cuts it', () => {
  const document = read();
  const [first, second, long] = document.operations.map(
    (operation) => readOperationView(document, operation).responses,
  );
  expect(second).toBe(first);
  expect([first, long].map((views) => views?.at(-1)?.description)).toEqual(['No user', '...']);
});

test('responses that several operations have are shown as if each operation was the only one', () => {
  const shared = read();
  for (const index of [0, 1, 2, 0]) expect(render(shared, index)).toEqual(render(read(), index));
});

test('shared responses differ where pages do: in ids that are taken, links of descriptions, and expanded fields', () => {
  const shared = read();
  const first = render(shared, 0);
  const takesIds = (page: ReturnType<typeof fakePageRenderer>) =>
    void page.uniqueId('response-owner');
  const taken = render(shared, 1, takesIds);
  expect(taken).toEqual(render(read(), 1, takesIds));
  expect(taken.html).toContain('id="response-owner-2"');
  const linksElsewhere = (page: ReturnType<typeof fakePageRenderer>) => {
    const { markdown } = page;
    page.markdown = (text) => markdown(`${text} of this page`);
  };
  expect(render(shared, 1, linksElsewhere).html).toContain('of this page');
  expect(render(shared, 1, undefined, true).html).toContain(
    '<details class="d-prop-children" open>',
  );
  expect(render(shared, 0)).toEqual(first);
});
