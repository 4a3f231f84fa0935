import { describe, expect, it, test } from 'vitest';
import { buildSearchIndex } from './index/build-search-index.ts';
import { loadSearchIndex } from './index/load-search-index.ts';
import { codeNamesIn, nameTerm, operationTermsIn, otherNumber } from './page-names.ts';
import type { SearchDocument } from './search-index.ts';

test('names that differ in case, accents, spaces, and punctuation are equal', () => {
  const same = ['Custom domain', 'custom-domain', 'CustomDomain', '“Custom  domain”', '`custom_domain`', 'CUSTOM DOMÁIN?'];
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
  const pairs = ['Webhook Webhooks', 'Policy Policies', 'Proxy Proxies', 'Switch Switches', 'Search Searches', 'Box Boxes'];
  for (const [one, many] of pairs.map((pair) => pair.split(' ').map(nameTerm) as [string, string])) {
    expect(otherNumber(one), one).toContain(many);
    expect(otherNumber(many), many).toContain(one);
  }
  expect(otherNumber(nameTerm('Access'))).not.toContain(nameTerm('Acces'));
});

function page(path: string, more: Partial<SearchDocument> = {}): SearchDocument {
  const text = 'Payments, customers, create and get them: POST /v1/payments, createPayment, payment.created.';
  const shared = { href: `/${path}`, pageTitle: path, description: '', keywords: [], anchor: '', headings: [], boost: 1 };
  return { ...shared, path, markdown: text, text, code: '', ...more };
}

const index = loadSearchIndex(
  buildSearchIndex([
    page('guide'),
    page('payments-heading', { headings: ['Payments'], anchor: 'payments' }),
    page('create', { operation: 'POST /v1/payments', operationId: 'createPayment' }),
    page('list', { operation: 'GET /v1/payments', operationId: 'list_payments' }),
    page('one', { operation: 'GET /v1/payments/{payment_id}', operationId: 'Payments.get' }),
    page('event', { operation: 'WEBHOOK payment.created' }),
  ]),
);
const first = (query: string) => index.search(query, { limit: 5 })[0]?.document.path;

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
    expect(first(query)).toBe(path);
  });

  it('by a route without a method, together with the other operations of that route', () => {
    const paths = index.search('/v1/payments', { limit: 2 }).map(({ document }) => document.path);
    expect(paths.sort()).toEqual(['create', 'list']);
  });
});

it('an operation ranks after a heading with the same name as its route', () => {
  expect(first('Payments')).toBe('payments-heading');
});

test('a long hostile query produces few operation terms', () => {
  const hostile = ['/a'.repeat(5000), 'a_'.repeat(5000), 'aA'.repeat(5000), `get ${'{'.repeat(5000)}`, 'a.'.repeat(5000)];
  for (const query of hostile) expect(operationTermsIn(query).length).toBeLessThan(40);
});

test('code names are recognized in a question, and product names are not', () => {
  expect(codeNamesIn('What does site_not_found mean, and setInputFiles() or DOCENT_MODEL_URL?')).toEqual([
    'site_not_found',
    'setInputFiles',
    'DOCENT_MODEL_URL',
  ]);
  expect(codeNamesIn('Does GitHub run Node.js on macOS or OpenAI, e.g. docs.json?')).toEqual([]);
});
