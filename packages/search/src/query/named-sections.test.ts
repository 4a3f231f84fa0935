import { describe, expect, it, test } from 'vitest';
import { plainText } from '../index/stored-document.ts';
import { buildSearchIndex } from '../load/build-search-index.ts';
import { loadSearchIndex } from '../load/load-search-index.ts';
import type { SearchDocument, SearchOptions } from '../search-index.ts';
import { codeNamesIn, nameTerm, operationTermsIn, otherNumber } from './named-sections.ts';

function page(
  path: string,
  title: string,
  markdown: string,
  more: Partial<SearchDocument> = {},
): SearchDocument {
  const own = {
    path,
    href: `/${path}`,
    pageTitle: title,
    description: '',
    keywords: [],
    anchor: '',
    headings: [],
  };
  return { ...own, markdown, ...plainText(markdown), boost: 1, ...more };
}

function below(of: SearchDocument, heading: string, markdown: string): SearchDocument {
  return {
    ...of,
    anchor: heading.toLowerCase(),
    headings: [heading],
    markdown,
    ...plainText(markdown),
  };
}

/** Repeats the words of every name, as a less relevant page does. */
const chatter =
  'Custom domain, dark mode, webhooks, export: custom domain, dark mode, webhooks, export of a custom domain. '.repeat(
    4,
  );
const install = page('start/install', 'Install', '');
const documents = [
  page('guides/everything', 'All about custom domains, dark mode and webhooks', chatter),
  page('guides/domains', 'Custom domain', 'Point a record at us.'),
  page('guides/look', 'Appearance settings', 'Choose colors.', { sidebarTitle: 'Dark mode' }),
  page('reference/webhooks', 'List events', 'Events.', { operation: 'GET /v1/events/{id}' }),
  page('guides/webhooks', 'Events that we send', 'A request to you.'),
  below(install, 'Prerequisites', 'You need a shell.'),
  below(install, 'Install', 'Install, install, install with the installer.'),
  page('errors/internal_error', '`internal_error`', 'Ours.'),
  ...Array.from({ length: 30 }, (_, i) =>
    page(`errors/e${i}`, `Fault ${i}`, 'internal error, an internal error.'),
  ),
  page('reference/limits', 'Rate limits', 'As an operation tells.', { operation: 'GET /limits' }),
  page('guides/limits', 'Rate limits', 'Ten a minute.'),
  page('de/api', 'API', 'Auf Deutsch.', { language: 'de' }),
  page('en/api', 'API', 'In English.', { language: 'en' }),
  page('v1/setup', 'Set up', 'Old.', { version: 'v1' }),
  page('v2/setup', 'Set up', 'New.', { version: 'v2' }),
  page('secret/plan', 'Secret plan', 'Hidden.', { groups: ['staff'] }),
  page('guides/notes', 'Notes', 'Of the secret plan nothing is known.'),
];
const index = loadSearchIndex(buildSearchIndex(documents));
const first = (query: string, options: Partial<SearchOptions> = {}) => {
  const document = index.search(query, { limit: 10, ...options })[0]?.document;
  return (
    document && (document.anchor === '' ? document.path : `${document.path}#${document.anchor}`)
  );
};

describe('a query for a name', () => {
  it.each([
    ['a title', 'Custom domain', 'guides/domains'],
    ['a title in another case, with punctuation', '“custom-domain”?', 'guides/domains'],
    ['a title with an accent too many', 'Cústom domain', 'guides/domains'],
    ['a title in the plural', 'custom domains', 'guides/domains'],
    ['a name in the menu', 'dark mode', 'guides/look'],
    ['the last part of a path', 'webhooks', 'guides/webhooks'],
    ['a title that is code', 'internal_error', 'errors/internal_error'],
    ['a method and a route', 'GET /v1/events/{id}', 'reference/webhooks'],
    ['a heading', 'Prerequisites', 'start/install#prerequisites'],
  ])('ranks the section with that name first: %s', (_, query, expected) => {
    expect(first(query)).toBe(expected);
    expect(first(query, { completeLastWord: false })).toBe(expected);
  });

  it('ranks the start of a page before its sections, even if the page begins with a heading', () => {
    expect(first('Install')).toBe('start/install');
  });

  it('ranks the page in the language of the reader before the others', () => {
    for (const [language, expected] of [
      ['de', 'de/api'],
      ['en', 'en/api'],
    ] as const) {
      const hits = index.search('API', { limit: 10, defaults: { language } });
      expect(hits[0]?.document.path).toBe(expected);
      expect(hits.map(({ document }) => document.path)).toContain('de/api');
      expect(first('API', { currentPath: `${language}/other`, filter: { language } })).toBe(
        expected,
      );
    }
  });

  it('ranks the page of the version of the reader first', () => {
    expect(first('Set up', { filter: { version: 'v2' } })).toBe('v2/setup');
    expect(first('Set up', { currentPath: 'v1/setup' })).toBe('v1/setup');
  });

  it('ranks a guide before an operation of the same name, and the earlier of two guides first', () => {
    expect(first('rate limits')).toBe('guides/limits');
    expect(first('Set up')).toBe('v1/setup');
  });

  it('ranks a neighbor of the current page before a page elsewhere', () => {
    expect(first('rate limits', { currentPath: 'reference/webhooks' })).toBe('reference/limits');
  });

  it('never finds a page that is restricted to other groups', () => {
    const paths = (options: Partial<SearchOptions>) =>
      index.search('Secret plan', { limit: 10, ...options }).map(({ document }) => document.path);
    expect(paths({})).not.toContain('secret/plan');
    expect(paths({ filter: { groups: ['staff'] } })[0]).toBe('secret/plan');
  });

  it('marks only the named hit, and it has the highest score', () => {
    const hits = index.search('custom domain', { limit: 10 });
    expect(hits.map((hit) => hit.isNamed ?? false)).toEqual(hits.map((_, at) => at === 0));
    expect(hits.every((hit, at) => at === 0 || hit.score <= (hits[at - 1]?.score ?? 0))).toBe(true);
  });

  it('returns no more hits than the limit', () => {
    expect(index.search('Set up', { limit: 1 })).toHaveLength(1);
  });

  it.each(['Custom dom', 'customdoma', 'dark mo'])(
    'finds the page from partial input: %s',
    (typed) => {
      expect(['guides/domains', 'guides/look']).toContain(first(typed));
    },
  );
});

test('names that differ in case, accents, spaces, and punctuation are equal', () => {
  const same = [
    'Custom domain',
    'custom-domain',
    'CustomDomain',
    '“Custom  domain”',
    '`custom_domain`',
    'CUSTOM DOMÁIN?',
  ];
  expect(new Set(same.map(nameTerm)).size).toBe(1);
  expect(nameTerm('搜索 文档')).toBe(nameTerm('搜索文档'));
});

test('names of languages that differ only in symbols are different', () => {
  expect(new Set(['C', 'C++', 'C#'].map(nameTerm)).size).toBe(3);
});

test('text without letters and digits is not a name', () => {
  for (const text of ['', '   ', '?!', '—']) expect(nameTerm(text)).toBe('');
});

test('singular and plural names match each other', () => {
  const pairs = [
    'Webhook Webhooks',
    'Policy Policies',
    'Proxy Proxies',
    'Switch Switches',
    'Search Searches',
    'Box Boxes',
  ];
  for (const [one, many] of pairs.map(
    (pair) => pair.split(' ').map(nameTerm) as [string, string],
  )) {
    expect(otherNumber(one), one).toContain(many);
    expect(otherNumber(many), many).toContain(one);
  }
  expect(otherNumber(nameTerm('Access'))).not.toContain(nameTerm('Acces'));
});

function apiPage(path: string, more: Partial<SearchDocument> = {}): SearchDocument {
  const text =
    'Payments, customers, create and get them: POST /v1/payments, createPayment, payment.created.';
  const shared = {
    href: `/${path}`,
    pageTitle: path,
    description: '',
    keywords: [],
    anchor: '',
    headings: [],
    boost: 1,
  };
  return { ...shared, path, markdown: text, text, code: '', ...more };
}

const apiIndex = loadSearchIndex(
  buildSearchIndex([
    apiPage('guide'),
    apiPage('payments-heading', { headings: ['Payments'], anchor: 'payments' }),
    apiPage('create', { operation: 'POST /v1/payments', operationId: 'createPayment' }),
    apiPage('list', { operation: 'GET /v1/payments', operationId: 'list_payments' }),
    apiPage('one', { operation: 'GET /v1/payments/{payment_id}', operationId: 'Payments.get' }),
    apiPage('event', { operation: 'WEBHOOK payment.created' }),
  ]),
);
const firstOfApi = (query: string) => apiIndex.search(query, { limit: 5 })[0]?.document.path;

describe('an operation ranks first', () => {
  it.each([
    ['POST /v1/payments', 'create'],
    ['post /v1/payments/', 'create'],
    ['What does GET /v1/payments return?', 'list'],
    ['404 at https://api.example.com/v1/payments/pay_123?expand=1', 'one'],
    ['GET /v1/payments/:id', 'one'],
    ['/v1/payments/{anything}', 'one'],
    ['POST /api/v1/payments', 'create'],
    ['createPayment', 'create'],
    ['how do I call list_payments twice', 'list'],
    ['Payments.get', 'one'],
    ['when is payment.created sent?', 'event'],
  ])('by its route in any spelling or by its name in code: %s', (query, path) => {
    expect(firstOfApi(query)).toBe(path);
  });

  it('by a route without a method, together with the other operations of that route', () => {
    const paths = apiIndex
      .search('/v1/payments', { limit: 2 })
      .map(({ document }) => document.path);
    expect(paths.sort()).toEqual(['create', 'list']);
  });
});

it('a name in code does not override a longer question about something else', () => {
  const text = 'Why is an invoice sent twice to a customer? A retry sends it again.';
  const retries = apiPage('retries', {
    pageTitle: 'Invoices that are sent twice',
    markdown: text,
    text,
  });
  const create = apiPage('create', {
    operation: 'POST /v1/payments',
    operationId: 'createPayment',
  });
  const index = loadSearchIndex(buildSearchIndex([create, retries]));
  const first = (query: string) => index.search(query, { limit: 5 })[0]?.document.path;
  expect(first('why is an invoice sent twice to a customer when I call createPayment again')).toBe(
    'retries',
  );
  expect(first('createPayment')).toBe('create');
});

describe('the page that a short query means', () => {
  const about = (
    path: string,
    pageTitle: string,
    markdown: string,
    more: Partial<SearchDocument> = {},
  ) => apiPage(path, { pageTitle, markdown, text: markdown, ...more });
  const hooks = { trail: ['Docs', 'Integrate', 'Webhooks'] };
  const adapter = (name: string) =>
    about(`adapters/${name}`, name, 'A utility for incoming webhooks.', {
      headings: ['Webhooks'],
      anchor: 'webhooks',
    });
  const index = loadSearchIndex(
    buildSearchIndex([
      adapter('astro'),
      adapter('deno'),
      about('hooks/endpoints', 'Setup', 'Register an endpoint.', hooks),
      about('hooks/delivery', 'Deliveries', 'Webhooks webhooks webhooks.', hooks),
      about('tiles', 'Tiles', 'Tiles in dark mode. Dark mode, dark mode.'),
      about('appearance', 'Appearance', 'Colors and logos.', { keywords: ['dark mode', 'theme'] }),
      ...Array.from({ length: 20 }, (_, at) =>
        about(`many-${at}`, `Page ${at}`, 'Words.', { keywords: ['common'] }),
      ),
      about('common-things', 'Things', 'Common things that are common.'),
    ]),
  );
  const first = (query: string) => index.search(query, { limit: 5 })[0];

  it('is the first page of the menu group of that name, before sections of that name', () => {
    expect(first('webhooks')?.document.path).toBe('hooks/endpoints');
    expect(first('Webhook')?.document.path).toBe('hooks/endpoints');
  });

  it('is a page that has it as a keyword, unless many do, and it is no exact name', () => {
    expect(first('dark mode')?.document.path).toBe('appearance');
    expect(first('dark mode')?.isNamed).toBeUndefined();
    expect(first('common')?.document.path).toBe('common-things');
  });
});

it('an operation ranks after a heading with the same name as its route', () => {
  expect(firstOfApi('Payments')).toBe('payments-heading');
});

test('a long hostile query produces few operation terms', () => {
  const hostile = [
    '/a'.repeat(5000),
    'a_'.repeat(5000),
    'aA'.repeat(5000),
    `get ${'{'.repeat(5000)}`,
    'a.'.repeat(5000),
  ];
  for (const query of hostile) expect(operationTermsIn(query).length).toBeLessThan(40);
});

test('code names are recognized in a question, and product names are not', () => {
  expect(
    codeNamesIn('What does site_not_found mean, and setInputFiles() or DOCENT_MODEL_URL?'),
  ).toEqual(['site_not_found', 'setInputFiles', 'DOCENT_MODEL_URL']);
  expect(codeNamesIn('Does GitHub run Node.js on macOS or OpenAI, e.g. docs.json?')).toEqual([]);
});
