import { describe, expect, it } from 'vitest';
import { excerpt, markWords, queryPattern } from './excerpt.ts';

const hits = (text: string, query: string): string[] =>
  markWords(text, queryPattern(query))
    .filter((run) => run.hit)
    .map((run) => run.text);

describe('markWords', () => {
  it('matches words by their beginnings and ignores endings', () => {
    expect(hits('Deploying the deployment; redeploy it.', 'deploys')).toEqual(['Deploying', 'deployment']);
  });

  it('matches words inside scripts without spaces', () => {
    expect(hits('文档搜索很快', '搜索')).toEqual(['搜索']);
  });

  it('skips function words beside other words, and never matches prefixes of one or two letters', () => {
    expect(hits('Add a new address to an AI model', 'how to add a c to a model')).toEqual(['Add', 'address', 'model']);
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
