import { describe, expect, it } from 'vitest';
import { answerBasis } from './answer-basis.ts';

const section = (url: string, title = 'Keys') => ({ title, headings: ['Rotate'], url, score: 0.5 });
const URL = 'https://docs.acme.example/guides/keys';

describe('the basis of an answer', () => {
  it('marks the sections that the answer links, and all those of a page that it links', () => {
    const passages = [
      section(`${URL}#rotate`),
      section(`${URL}#revoke`),
      section('https://docs.acme.example/a#b'),
    ];
    const citedBy = (answer: string) =>
      answerBasis({ lookups: [], passages }, answer).passages.map(({ isCited }) => isCited);
    expect(citedBy(`See [Rotate](${URL}#rotate).`)).toEqual([true, false, false]);
    expect(citedBy(`See [Keys](${URL}).`)).toEqual([true, true, false]);
    expect(citedBy('No link.')).toEqual([false, false, false]);
  });

  it('names each lookup by its words, path or text, on one line', () => {
    const { lookups } = answerBasis(
      {
        lookups: [
          { name: 'search', input: { query: 'rotate\na \u0000key' } },
          { name: 'read_page', input: { path: 'guides/keys' } },
          { name: 'grep', input: { text: 'sk_', path: 'guides' } },
        ],
        passages: [],
      },
      '',
    );
    expect(lookups).toEqual([
      { tool: 'search', input: 'rotate a key' },
      { tool: 'read_page', input: 'guides/keys' },
      { tool: 'grep', input: 'sk_' },
    ]);
  });

  it('takes at most 8 KB, whatever pages and models write', () => {
    const lookups = Array.from({ length: 100 }, () => {
      return { name: 'search' as const, input: { query: '鍵'.repeat(10_000) } };
    });
    const passages = Array.from({ length: 100 }, (_, index) => ({
      ...section(`${URL}/${index}`, '鍵'.repeat(10_000)),
      headings: Array.from({ length: 50 }, () => '\ud83d'.repeat(5000)),
    }));
    const basis = answerBasis({ lookups, passages }, '');
    const text = JSON.stringify(basis);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8192);
    expect(basis.passages.length).toBeGreaterThan(0);
    expect(text.isWellFormed()).toBe(true);
  });
});
