import { TRANSLATIONS } from '@docent/theme/translations/translations.ts';
import { expect, test } from 'vitest';
import { cpuMs } from '../../../../../test/support/cpu-ms.ts';
import { fakePageRenderer } from '../../../../../test/support/fake-page-renderer.ts';
import { isSymbolWord, translateWords } from '../../content/page/words.ts';
import type { ApiDocument } from '../api-document.ts';
import { apiPages } from '../api-pages.ts';
import { parseApiDocument } from '../parse-api-document.ts';
import { type RenderOperationOptions, renderOperation } from './render-operation.ts';

function render(tree: object, index = 0, options: RenderOperationOptions = {}) {
  const document = parseApiDocument(JSON.stringify({ openapi: '3.1.0', ...tree }), 'x.json')
    .document as ApiDocument;
  const page = fakePageRenderer();
  const operation = document.operations[index];
  if (!operation) throw new Error('The test document has no such operation.');
  return { ...renderOperation(document, operation, page, options), page };
}

const user = {
  servers: [{ url: 'https://api.example.com' }],
  components: {
    schemas: {
      User: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', description: 'Which user' },
          address: { properties: { street: { type: 'string' } } },
        },
      },
    },
  },
  paths: {
    '/users/{user_id}': {
      parameters: [
        {
          name: 'user_id',
          in: 'path',
          required: true,
          description: 'The **user**',
          schema: { type: 'string' },
        },
      ],
      put: {
        summary: 'Replace a user',
        description: 'Replaces everything.',
        deprecated: true,
        parameters: [{ name: 'dry_run', in: 'query', schema: { type: 'boolean', default: false } }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
        },
        responses: {
          default: { description: 'Anything else' },
          '404': { description: 'No such user' },
          '200': {
            description: 'The user',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
          },
        },
        callbacks: {
          changed: {
            '{$request.body#/url}': {
              post: {
                description: 'Reports the change',
                requestBody: {
                  content: {
                    'application/json': {
                      schema: {
                        type: 'object',
                        properties: {
                          reason: { enum: ['edited', 'merged'] },
                          hash: { type: 'string', writeOnly: true },
                        },
                      },
                    },
                  },
                },
                responses: { '410': { description: 'Send no more' } },
              },
            },
          },
        },
      },
    },
  },
};

test('the page has its sections in order, each with an entry in the table of contents', () => {
  const { page, html } = render(user);
  expect(page.toc.map((entry) => `${entry.depth} ${entry.text}`)).toEqual([
    '2 Path Parameters',
    '2 Query Parameters',
    '2 Body',
    '2 Responses',
    '3 200',
    '3 404',
    '3 default',
    '2 Callbacks',
  ]);
  for (const { id } of page.toc) expect(html.value).toContain(`id="${id}"`);
  expect(html.value).toContain('<span class="d-method method-pill" data-method="PUT">PUT</span>');
  expect(html.value).toContain('deprecated');
});

test('a callback shows its request and responses on the page, in Markdown, and in search', () => {
  const { html, markdown, sections } = render(user, 0, { withoutSource: true });
  const found = sections.at(-1);
  expect(found).toMatchObject({ anchor: 'callbacks', headings: ['Callbacks'] });
  expect(found?.text).toMatch(/changed POST .*Reports the change.*reason.*410.*Send no more/);
  const callbacks = [
    html.value.slice(html.value.indexOf('id="callbacks"')),
    markdown.slice(markdown.indexOf('## Callbacks')),
  ];
  for (const text of callbacks) {
    for (const part of [
      'changed',
      '{$request.body#/url}',
      'Reports the change',
      'reason',
      'edited',
      'merged',
      '410',
      'Send no more',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('hash');
  }
});

test('a large number of callbacks is cut to a limit', () => {
  const large = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, index) => [`{$request.body#/url${index}}`, { post: {} }]),
  );
  const many = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, index) => [
      `c${index}`,
      { $ref: '#/components/callbacks/large' },
    ]),
  );
  const tree = {
    components: { callbacks: { large } },
    paths: { '/a': { post: { callbacks: many, responses: {} } } },
  };
  expect(render(tree).html.value.match(/d-response/g)).toHaveLength(20);
});

test('fields have the anchors that links into generated pages use', () => {
  const { html } = render(user);
  for (const id of [
    'parameter-user-id',
    'parameter-dry-run',
    'body-id',
    'body-address-street',
    'response-id',
  ]) {
    expect(html.value).toContain(`id="${id}"`);
  }
});

test('every id is unique', () => {
  const ids = [...render(user).html.value.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('facts about a value are written in the language of the page', () => {
  const limit = { type: 'integer', default: 10, minimum: 1, multipleOf: 5, example: 20 };
  const { html } = render({
    paths: { '/jobs': { get: { parameters: [{ name: 'limit', in: 'query', schema: limit }] } } },
  });
  const german = translateWords(html.value, (name, english) =>
    isSymbolWord(name) ? TRANSLATIONS.de.symbols[name] : english,
  );
  expect(german).toContain(
    '<span>Standard: <code>10</code></span> <span>Bereich: <code>&gt;= 1</code></span> <span>Vielfaches von: <code>5</code></span> <span>Beispiel: <code>20</code></span>',
  );
});

test('the note about levels that are left out is written in the language of the page', () => {
  let schema: object = { type: 'string' };
  for (let level = 0; level < 12; level++)
    schema = { type: 'object', properties: { inner: schema } };
  const content = { 'application/json': { schema } };
  const { html } = render({ paths: { '/jobs': { post: { requestBody: { content } } } } });
  const german = translateWords(html.value, (name, english) =>
    isSymbolWord(name) ? TRANSLATIONS.de.symbols[name] : english,
  );
  expect(german).toContain('<p class="d-prop-note">Tiefere Ebenen werden nicht angezeigt.</p>');
});

test('nested fields are collapsed, and the first response is open', () => {
  const { html } = render(user);
  expect(html.value).toContain(
    '<details class="d-prop-children"><summary><!--w:properties-->1 property<!--/w--></summary>',
  );
  expect(html.value.match(/<details class="d-response" open>/g)).toHaveLength(1);
});

test('examples are in the right rail, with requests in tabs and responses by status', () => {
  const { page } = render(user);
  expect(page.aside).toHaveLength(2);
  expect(page.aside[0]).toContain('data-component="request-example"');
  for (const label of ['cURL', 'Python', 'JavaScript'])
    expect(page.aside[0]).toContain(`<span>${label}</span>`);
  expect(page.aside[1]).toContain('&quot;street&quot;');
  expect(page.needed).toContain('docent-tabs');
});

test('the Markdown has every fact of the page', () => {
  const { markdown } = render(user);
  for (const fact of [
    '`PUT /users/{user_id}`',
    '**Deprecated.**',
    'Replaces everything.',
    '- `user_id` (`string`, required): The **user**',
    '- `dry_run` (`boolean`): Default: `false`.',
    '## Body (required)',
    '- `id` (`string`, required): Which user',
    '  - `street` (`string`)',
    '### 404\n\nNo such user',
    '### changed\n\n`POST {$request.body#/url}`\n\nReports the change',
    '```bash\ncurl -X PUT',
    '"$ref": "#/components/schemas/User"',
  ]) {
    expect(markdown).toContain(fact);
  }
});

test('search finds an operation by its path, its summary, and the names of its parameters', () => {
  const [section] = render(user).sections;
  expect(section?.anchor).toBe('');
  for (const word of ['PUT /users/{user_id}', 'Replace a user', 'dry_run', 'The user', 'street'])
    expect(section?.text).toContain(word);
  expect(section?.text).not.toContain('required');
});

test('a large body is a separate search section under its heading', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `field_${index}`,
      { type: 'string', description: `Meaning ${index}` },
    ]),
  );
  const { sections } = render({
    paths: {
      '/x': {
        post: { requestBody: { content: { 'application/json': { schema: { properties } } } } },
      },
    },
  });
  expect(sections.map((section) => [section.anchor, section.headings])).toEqual([
    ['', []],
    ['body', ['Body']],
  ]);
  expect(sections[1]?.text).toContain('field_39 Meaning 39');
});

test('a webhook shows its payload and no request', () => {
  const payload = {
    content: {
      'application/json': {
        schema: { properties: { data: { properties: { is_paid: { type: 'boolean' } } } } },
      },
    },
  };
  const { html, page, markdown } = render({
    security: [{ k: [] }],
    webhooks: { 'order.paid': { post: { requestBody: payload } } },
  });
  expect(page.toc.map((entry) => entry.text)).toEqual(['Payload']);
  expect(html.value).toContain('id="schema-data-is-paid"');
  expect(page.aside.join()).not.toContain('curl');
  expect(markdown).toContain('## Example payload');
});

test('credentials are shown with their location, and alternatives are marked as such', () => {
  const schemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    token: { type: 'oauth2' },
    cert: { type: 'mutualTLS' },
  };
  const { html } = render({
    components: { securitySchemes: schemes },
    security: [{ key: [] }, { token: ['read'] }, { cert: [] }, {}],
    paths: { '/x': { get: {} } },
  });
  expect(html.value).toContain('id="authorization-x-key"');
  expect(html.value).toContain('`read`');
  expect(html.value).toContain('Also allowed without credentials.');
  expect(html.value).toContain('client certificate (mutual TLS)');
});

test('text of a description never becomes markup', () => {
  const evil = '"><img src=x onerror=alert(1)><script>alert(1)</script>\u0001Ptoken\u0001';
  const schema = {
    type: 'object',
    description: evil,
    title: evil,
    properties: {
      [evil]: { type: 'string', enum: [evil, 'b'], default: evil, pattern: evil, format: evil },
    },
  };
  const { html, page } = render({
    servers: [{ url: evil, description: evil }, { url: 'b' }],
    components: {
      securitySchemes: { s: { type: 'apiKey', name: evil, in: 'query', description: evil } },
    },
    paths: {
      [`/${evil}`]: {
        post: {
          summary: evil,
          description: evil,
          externalDocs: { url: evil, description: evil },
          security: [{ s: [evil] }],
          parameters: [
            {
              name: evil,
              in: 'query',
              required: true,
              description: evil,
              schema: { oneOf: [schema, { title: evil, type: 'object', properties: { x: {} } }] },
            },
          ],
          requestBody: { description: evil, content: { [evil]: { schema }, b: { schema: {} } } },
          responses: {
            [evil]: {
              description: evil,
              headers: { [evil]: { description: evil } },
              content: { [evil]: { schema, examples: { [evil]: { value: evil } } } },
            },
          },
          callbacks: { [evil]: { [evil]: { post: { description: evil } } } },
          'x-codeSamples': [{ lang: evil, label: evil, source: evil }],
        },
      },
    },
  });
  const output = html.value + page.aside.join('');
  expect(output).not.toMatch(/<img|<script/);
  expect(output).not.toContain('\u0001');
});

test('the size of a page is limited for schemas of any size', () => {
  const schemas: Record<string, unknown> = {};
  for (let level = 0; level < 30; level++) {
    const next = { $ref: `#/components/schemas/L${level + 1}` };
    schemas[`L${level}`] = {
      properties: Object.fromEntries(
        Array.from({ length: 30 }, (_, index) => [
          `p${index}`,
          { ...next, description: `**${level}** ${'x'.repeat(500)}` },
        ]),
      ),
    };
  }
  const media = { 'application/json': { schema: { $ref: '#/components/schemas/L0' } } };
  const start = cpuMs();
  const { html, markdown } = render({
    components: { schemas },
    paths: {
      '/x': { post: { requestBody: { content: media }, responses: { 200: { content: media } } } },
    },
  });
  expect(cpuMs() - start).toBeLessThan(5_000);
  expect(html.value.match(/class="d-field"/g)?.length).toBeLessThanOrEqual(2_600);
  expect(markdown.length).toBeLessThan(5_000_000);
});

// A small deterministic generator of trees that resemble a description but have any value anywhere.
const KEYS =
  'paths webhooks get post parameters requestBody content schema properties items allOf oneOf anyOf $ref type enum default example examples responses headers security components schemas securitySchemes servers variables callbacks tags name in description required additionalProperties prefixItems const format discriminator propertyName x-mint x-codeSamples source lang __proto__ constructor 200 /a application/json externalDocs url'.split(
    ' ',
  );
const VALUES = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  '',
  'text',
  'object',
  'array',
  'string',
  '#/',
  '#/paths',
  '#/components/schemas/200',
  'header',
  'path',
  [],
  {},
];

function randomTree(next: () => number, depth: number): unknown {
  const kind = next() % 5;
  if (depth === 0 || kind === 0) return VALUES[next() % VALUES.length];
  if (kind === 1) return Array.from({ length: next() % 4 }, () => randomTree(next, depth - 1));
  const object: Record<string, unknown> = Object.create(null);
  for (let count = next() % 7; count > 0; count--)
    object[KEYS[next() % KEYS.length] as string] = randomTree(next, depth - 1);
  return object;
}

test('an invalid tree never makes rendering fail', () => {
  let state = 42;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
  let count = 0;
  for (let round = 0; round < 400; round++) {
    const operation = {
      ...(randomTree(next, 6) as object),
      parameters: randomTree(next, 5),
      requestBody: randomTree(next, 6),
      responses: randomTree(next, 6),
    };
    const tree = {
      openapi: '3.1.0',
      components: randomTree(next, 5),
      servers: randomTree(next, 3),
      security: randomTree(next, 3),
      tags: randomTree(next, 3),
      paths: { '/a': { get: operation } },
      webhooks: { w: { post: operation } },
    };
    const document = parseApiDocument(JSON.stringify(tree), 'x.json').document as ApiDocument;
    apiPages(document, { source: 'x.json' });
    for (const item of document.operations) {
      const { html } = renderOperation(document, item, fakePageRenderer());
      if (html.value.includes('d-endpoint')) count++;
    }
  }
  expect(count).toBe(800);
});

test('site settings expand nested fields and show chosen keywords as labels', () => {
  const schema = {
    properties: {
      a: {
        'x-since': 'v2 <new>',
        'x-beta': true,
        'x-tags': ['one', 2, {}],
        'x-other': 'no',
        properties: { b: { type: 'string' } },
      },
    },
  };
  const parameters = [{ name: 'p', in: 'query', 'x-since': 'v3', schema: { type: 'string' } }];
  const tree = {
    paths: {
      '/x': { post: { parameters, requestBody: { content: { 'application/json': { schema } } } } },
    },
  };
  const plain = render(tree).html.value;
  expect(plain).toContain('<details class="d-prop-children"><summary>');
  expect(plain).not.toContain('v2');
  const settings = {
    expandParams: true as const,
    paramPills: ['x-since', 'x-beta', 'x-tags', 'x-none'],
  };
  const chosen = render(tree, 0, { settings }).html.value;
  expect(chosen).toContain('<details class="d-prop-children" open>');
  for (const label of ['v2 &lt;new&gt;', 'x-beta', 'one', '2', 'v3']) {
    expect(chosen).toContain(`<span class="d-prop-tag">${label}</span>`);
  }
  expect(chosen).not.toMatch(/x-none|>no</);
});

test('the Markdown contains the OpenAPI source of the operation unless the site excludes it', () => {
  expect(render(user).markdown).toContain('## OpenAPI');
  expect(render(user, 0, { withoutSource: true }).markdown).not.toContain('## OpenAPI');
});

test('a query string parameter is shown and sent as the parameters that it contains', () => {
  const schema = {
    type: 'object',
    required: ['search'],
    properties: { search: { type: 'string' }, limit: { type: 'integer' } },
  };
  const content = { 'application/x-www-form-urlencoded': { schema } };
  const { html, markdown } = render({
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/x': { get: { parameters: [{ name: 'q', in: 'querystring', content }] } } },
  });
  expect(html.value).toContain('id="parameter-search"');
  expect(html.value).toContain('id="parameter-limit"');
  expect(markdown).toContain('https://api.example.com/x?search=');
});

test('described headers are shown, and a token that a security scheme describes is shown once', () => {
  const header = (name: string, example: string) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string', example },
  });
  const get = {
    parameters: [
      header('Accept', 'application/vnd.example.v3+json'),
      header('Content-Type', 'application/json'),
      header('Authorization', 'Token abc'),
    ],
  };
  const open = render({ paths: { '/x': { get } } });
  for (const id of ['Accept', 'Content-Type', 'Authorization'])
    expect(open.markdown).toContain(`\`${id}\``);
  expect(open.markdown).toContain("-H 'Accept: application/vnd.example.v3+json'");
  expect(open.markdown).toContain("-H 'Authorization: Token abc'");
  expect(open.markdown).not.toContain("-H 'Content-Type");

  const components = { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } };
  const secured = render({
    paths: { '/x': { get: { ...get, security: [{ token: [] }] } } },
    components,
  });
  expect(secured.markdown).toContain("-H 'Authorization: Bearer <token>'");
  expect(secured.html.value).not.toContain('Token abc');
});

test('an operation with hundreds of parameters shows all of them', () => {
  const parameters = Array.from({ length: 569 }, (_, index) => ({
    name: `field_${index}`,
    in: 'query',
    schema: { type: 'string' },
  }));
  const { html } = render({ paths: { '/x': { get: { parameters } } } });
  for (const { name } of parameters)
    expect(html.value).toContain(`id="parameter-${name.replace('_', '-')}"`);
});

test('media types by reference, examples as data or text, and summaries of responses (OpenAPI 3.2) are shown', () => {
  const Thing = {
    schema: { properties: { colour: { type: 'string' } } },
    examples: {
      first: { dataValue: { colour: 'red' } },
      second: { serializedValue: '{"colour":"blue"}' },
    },
  };
  const content = { 'application/json': { $ref: '#/components/mediaTypes/Thing' } };
  const xml = {
    examples: {
      written: { dataValue: { colour: 'green' }, serializedValue: '<colour>green</colour>' },
    },
  };
  const responses = {
    200: { summary: 'The thing', content: { ...content, 'application/xml': xml } },
  };
  const parameters = [
    {
      name: 'shade',
      in: 'query',
      schema: { type: 'string' },
      examples: { one: { dataValue: 'dark' } },
    },
  ];
  const tree = { openapi: '3.2.0', components: { mediaTypes: { Thing } } };
  const shown = render(
    { ...tree, paths: { '/x': { post: { parameters, requestBody: { content }, responses } } } },
    0,
    {
      display: 'interactive',
    },
  );
  expect(shown.markdown).toContain(
    '### 200\n\nThe thing\n\nContent type: `application/json` (`object`)\n\n- `colour` (`string`)',
  );
  expect(shown.markdown).toContain('- `shade` (`string`): Example: `dark`.');
  expect(shown.markdown).toContain('## Example body (first)\n\n```json\n{\n  "colour": "red"\n}');
  expect(shown.markdown).toContain(
    '## Example response (200 second)\n\n```json\n{"colour":"blue"}',
  );
  expect(shown.markdown).toContain(
    '## Example response (200 written)\n\n```xml\n<colour>green</colour>',
  );
  expect(shown.html.toString()).toContain('"fields":[{"name":"colour"');
});

test('a response shows the descriptions of its links', () => {
  const links = {
    next: { operationId: 'getThing', description: 'The cursor of the **next** page.' },
    owner: { $ref: '#/components/links/Owner' },
    plain: { operationId: 'plain' },
  };
  const tree = { components: { links: { Owner: { description: 'Who has it.' } } } };
  const { html, markdown } = render({
    ...tree,
    paths: { '/x': { get: { responses: { 200: { description: 'Found', links } } } } },
  });
  expect(markdown).toContain(
    '### 200\n\nFound\n\n`next` (`getThing`): The cursor of the **next** page.\n\n`owner`: Who has it.',
  );
  expect(html.toString()).toContain('Who has it.');
  expect(markdown.split('## OpenAPI')[0]).not.toContain('plain');
});
