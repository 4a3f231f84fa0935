import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-ms.ts';
import type { SearchHit } from '../search-index.ts';
import { excerpt, highlightsOf, markWords, queryPattern } from './excerpt.ts';

const hits = (text: string, query: string): string[] =>
  markWords(text, queryPattern(query))
    .filter((run) => run.hit)
    .map((run) => run.text);

describe('markWords', () => {
  it('matches words by their beginnings and ignores endings', () => {
    expect(hits('Deploying the deployment; redeploy it.', 'deploys')).toEqual([
      'Deploying',
      'deployment',
    ]);
  });

  it('matches words inside scripts without spaces', () => {
    expect(hits('文档搜索很快', '搜索')).toEqual(['搜索']);
  });

  it('skips function words beside other words, and never matches prefixes of one or two letters', () => {
    expect(hits('Add a new address to an AI model', 'how to add a c to a model')).toEqual([
      'Add',
      'address',
      'model',
    ]);
    expect(hits('Go, good and going', 'go client')).toEqual(['Go']);
    expect(hits('A table and a page', 'a')).toEqual(['A', 'and', 'a']);
  });

  it('completes the last word, regardless of its length', () => {
    expect(hits('Custom domains and CSS', 'custom d')).toEqual(['Custom', 'domains']);
  });

  it('treats regular expression syntax as text', () => {
    expect(hits('a+b (c', '( + [')).toEqual([]);
    expect(hits('call f(x)', 'f(x)')).toEqual(['f', 'x']);
  });

  it('preserves every character', () => {
    const text = 'One key, two keys — and a keyboard.';
    expect(
      markWords(text, queryPattern('key two'))
        .map((run) => run.text)
        .join(''),
    ).toBe(text);
  });
});

describe('excerpt', () => {
  const filler = 'word '.repeat(100);

  it('shows the place where the words are together', () => {
    const text = `needle ${filler} the needle in the haystack ${filler}`;
    const shown = excerpt(text, queryPattern('needle haystack'))
      .map((run) => run.text)
      .join('');
    expect(shown).toContain('needle in the haystack');
    expect(shown.startsWith('… ')).toBe(true);
    expect(shown.length).toBeLessThan(200);
  });

  it('keeps a short text complete', () => {
    expect(
      excerpt('A short text.', queryPattern('short'))
        .map((run) => run.text)
        .join(''),
    ).toBe('A short text.');
  });
});

const hit = (text: string, more: Partial<SearchHit['document']> = {}): SearchHit => ({
  score: 0.5,
  document: {
    path: 'a',
    href: '/a',
    pageTitle: 'A',
    description: '',
    keywords: [],
    anchor: '',
    headings: [],
    markdown: text,
    text,
    code: '',
    boost: 1,
    ...more,
  },
});
const marked = (query: string, ...sections: SearchHit[]) =>
  highlightsOf(query, sections).map(({ text, ranges }) =>
    ranges.map(([start, end]) => text.slice(start, end)),
  );

describe('highlights', () => {
  it('mark the words of the query in any inflected form', () => {
    expect(marked('rotate keys', hit('Rotating a key is safe: the old key works on.'))).toEqual([
      ['Rotating', 'key', 'key'],
    ]);
  });

  it('leave function words of a question unmarked', () => {
    expect(marked('how do I rotate the key?', hit('How the key is made, I do not know.'))).toEqual([
      ['key'],
    ]);
  });

  it('mark matches in scripts without spaces, and identifiers by their parts', () => {
    expect(marked('搜索', hit('您可以在文档中搜索内容'))).toEqual([['搜索']]);
    expect(marked('max retries', hit('Set client.maxRetries to 3, not maxRetriesLeft.'))).toEqual([
      ['client.maxRetries', 'maxRetriesLeft'],
    ]);
  });

  it('fall back to code or headings if the prose has no match, from at most three sections', () => {
    const inCode = hit('Run this.', { code: 'docent rotate' });
    const inHeading = hit('Run this.', { headings: ['Keys', 'Rotate a key'] });
    expect(marked('rotate', inCode, hit('nothing'), inHeading, inCode, inCode)).toEqual([
      ['rotate'],
      ['Rotate'],
      ['rotate'],
    ]);
  });

  it('return the page text unescaped, with ranges apart from it', () => {
    const [found] = highlightsOf('key', [hit('<script>key</script> <mark>')]);
    expect(found).toEqual({ text: '<script>key</script> <mark>', ranges: [[8, 11]] });
  });

  it('are short excerpts around the match, with ranges inside the text', () => {
    const [found] = highlightsOf('needle', [
      hit(`${'hay '.repeat(5000)}needle ${'hay '.repeat(5000)}`),
    ]);
    expect(found?.text.length).toBeLessThan(300);
    expect(found?.ranges.map(([start, end]) => found.text.slice(start, end))).toEqual(['needle']);
  });

  it('take linear time on a hostile page', () => {
    const start = cpuMs();
    highlightsOf('key', [hit('key '.repeat(500_000)), hit('𠮷key.key-key_'.repeat(100_000))]);
    expect(cpuMs() - start).toBeLessThan(2000);
  });

  it.each(['', '?!', '(+', 'ab '.repeat(300), '\ud800', '[a-z', '__proto__'])(
    'accept any query: %j',
    (query) => {
      expect(() => highlightsOf(query, [hit('some text ( [a-z')])).not.toThrow();
    },
  );
});
