import { expect, test } from 'vitest';
import { searchDocument } from '../../../../../test/support/publish-index.ts';
import { groupHits, titleOf } from './search-results.ts';

const hit = (path: string, title: string, text: string, heading = 'Webhooks') => ({
  document: searchDocument(path, title, text, { headings: [heading] }),
  score: 1,
});
const utility = 'A simple utility which resolves incoming webhook payloads.';

test('a section that several pages have is one hit, under the titles of these pages', () => {
  const names = ['Astro', 'Deno', 'Elysia', 'Express', 'Astro'];
  const same = names.map((name, at) =>
    hit(`adapters/${at}`, name, `${utility}\n\n\`\`\`ts\n${name}()\n\`\`\``),
  );
  const groups = groupHits([
    ...same,
    hit('orders', 'Orders', 'Receive an event for each order that is paid.'),
  ]);
  expect(groups.map(titleOf)).toEqual(['Astro, Deno, Elysia +1', 'Orders']);
  expect(groups[0]?.hits.map(({ document }) => document.path)).toEqual(['adapters/0']);
});

test('sections with another heading or text, or with hardly any text, stay hits of their own', () => {
  const groups = groupHits([
    hit('a', 'A', utility),
    hit('b', 'B', utility, 'Events'),
    hit('c', 'C', `${utility} Really.`),
    hit('d', 'D', 'See below.'),
    hit('e', 'E', 'See below.'),
  ]);
  expect(groups.map(titleOf)).toEqual(['A', 'B', 'C', 'D', 'E']);
});
