import { expect, test } from 'vitest';
import type { ApiDocument } from './api-document.ts';
import { apiPages } from './api-pages.ts';
import { parseApiDocument } from './parse-api-document.ts';

function document(tree: object): ApiDocument {
  return parseApiDocument(JSON.stringify({ openapi: '3.1.0', ...tree }), 'openapi.json')
    .document as ApiDocument;
}

test('the path of a page combines its first tag and its summary', () => {
  const [page] = apiPages(
    document({
      tags: [{ name: 'customer_portal', 'x-group': 'Customer portal' }],
      paths: {
        '/x': {
          post: {
            summary: 'Create a custom LLM-as-a-judge evaluator',
            tags: ['customer_portal', 'public'],
          },
        },
      },
    }),
    { source: 'openapi.json', directory: '/api-reference/v2/' },
  );
  expect(page).toEqual({
    path: 'api-reference/v2/customer_portal/create-a-custom-llm-as-a-judge-evaluator',
    method: 'POST',
    route: '/x',
    title: 'Create a custom LLM-as-a-judge evaluator',
    group: 'Customer portal',
    source: 'openapi.json',
  });
});

test('a webhook without a tag is directly in the folder, and a custom title does not change its path', () => {
  const pages = apiPages(
    document({
      webhooks: {
        'order.paid': {
          post: { summary: 'order_paid', 'x-mint': { metadata: { title: 'order.paid' } } },
        },
      },
    }),
    { source: 's' },
  );
  expect(pages).toMatchObject([
    {
      path: 'api-reference/order_paid',
      title: 'order.paid',
      method: 'WEBHOOK',
      route: 'order.paid',
    },
  ]);
});

test('an operation without a summary is named by its method and path', () => {
  const pages = apiPages(document({ paths: { '/v1/users/{id}': { get: { operationId: 'x' } } } }), {
    source: 's',
  });
  expect(pages).toMatchObject([{ path: 'api-reference/get-v1users', title: 'GET /v1/users/{id}' }]);
});

// The names that the hosted service uses, from sites that redirect old names of generated pages.
test.each([
  ['customer.state_changed', 'customerstate_changed'],
  ["List a user's (active) keys", 'list-a-users-active-keys'],
  ['Import / export', 'import-export'],
  ['Get {id} of item', 'get--of-item'],
  ['A - B', 'a--b'],
  [' Create', 'create'],
  ['取得する', '取得する'],
  ['What? 100% #1', 'what-100-1'],
  ['half \ud800 a pair \u0000\u202e', 'half--a-pair-'],
  ['..', 'untitled'],
])('the page of the operation %j is named %s, as on the hosted service', (summary, name) => {
  const [page] = apiPages(document({ paths: { '/x': { get: { summary } } } }), { source: 's' });
  expect(page?.path).toBe(`api-reference/${name}`);
});

test('a path that the author sets is valid in a URL', () => {
  const get = { 'x-mint': { href: '/guides/\ud800half' } };
  expect(apiPages(document({ paths: { '/x': { get } } }), { source: 's' })[0]?.path).toBe(
    'guides/half',
  );
});

test('a summary of any length produces a valid file name', () => {
  const paths = ['語', '😀', 'a'].map((letter) => {
    const [page] = apiPages(
      document({ paths: { '/x': { get: { summary: letter.repeat(400) } } } }),
      { source: 's' },
    );
    return page?.path.split('/').at(-1) ?? '';
  });
  expect(paths.map((name) => new TextEncoder().encode(name).length)).toEqual([198, 200, 200]);
  expect(paths.join('')).toMatch(/^語+😀+a+$/u);
});

test('each page has a unique path', () => {
  const pages = apiPages(
    document({
      paths: {
        '/a': { get: { summary: 'Get' } },
        '/b': { get: { summary: 'Get' } },
        '/c': { get: { summary: '///' } },
      },
    }),
    {
      source: 's',
    },
  );
  expect(pages.map((page) => page.path)).toEqual([
    'api-reference/get',
    'api-reference/get-1',
    'api-reference/untitled',
  ]);
});

test('excluded operations have no page, hidden ones are marked, and a custom path takes precedence', () => {
  const pages = apiPages(
    document({
      paths: {
        '/a': { get: { summary: 'A', 'x-excluded': true } },
        '/b': { get: { summary: 'B', 'x-hidden': true } },
        '/c': { get: { summary: 'C', 'x-mint': { href: '/guides/c/' } } },
      },
    }),
    { source: 's' },
  );
  expect(pages.map(({ path, hidden }) => [path, hidden])).toEqual([
    ['api-reference/b', true],
    ['guides/c', undefined],
  ]);
});

test.each([
  [
    '3.0.0',
    {
      prices: {
        title: 'Price updates',
        address: '/prices',
        tags: [{ name: 'Market Data' }, { name: 'Other' }],
      },
    },
  ],
  ['2.6.0', { 'Price updates': { subscribe: { tags: [{ name: 'Market Data' }], message: {} } } }],
])(
  'channels of AsyncAPI %s are in the folder and the group of their first tag',
  (asyncapi, channels) => {
    const info = { tags: [{ name: 'Market Data', 'x-group': 'Markets' }] };
    const parsed = parseApiDocument(JSON.stringify({ asyncapi, info, channels }), 'a.json')
      .document as ApiDocument;
    expect(apiPages(parsed, { source: 'a.json' })).toMatchObject([
      { path: 'api-reference/market-data/price-updates', group: 'Markets', title: 'Price updates' },
    ]);
  },
);

test('AsyncAPI channels have pages with the protocol as their method', () => {
  const { document: events } = parseApiDocument(
    'asyncapi: 3.0.0\nservers: {main: {host: ws.example.com, protocol: wss}}\nchannels: {prices: {title: Price updates, address: /prices}}',
    'asyncapi.yaml',
  );
  expect(apiPages(events as ApiDocument, { source: 'asyncapi.yaml', directory: 'events' })).toEqual(
    [
      {
        path: 'events/price-updates',
        method: 'WSS',
        route: 'prices',
        title: 'Price updates',
        source: 'asyncapi.yaml',
      },
    ],
  );
});

test('OpenAPI 3.2 tags are grouped under their parents by summary, and cyclic parents are cut', () => {
  const tags = [
    { name: 'store', summary: 'The store' },
    { name: 'items', summary: 'Items', parent: 'store' },
    { name: 'a', parent: 'b' },
    { name: 'b', parent: 'a' },
  ];
  const operations = ['store', 'items', 'a'].map((tag) => [
    `/${tag}`,
    { get: { summary: tag, tags: [tag] } },
  ]);
  const pages = apiPages(document({ tags, paths: Object.fromEntries(operations) }), {
    source: 'openapi.json',
  });
  expect(pages.map(({ path, group, subgroup }) => [path, group, subgroup])).toEqual([
    ['api-reference/store/store', 'The store', undefined],
    ['api-reference/items/items', 'The store', 'Items'],
    ['api-reference/a/a', 'b', 'a'],
  ]);
});
