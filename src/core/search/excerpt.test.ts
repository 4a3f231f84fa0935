import { describe, expect, it } from 'vitest';
import { excerpt, markWords, queryPattern } from './excerpt.ts';

const hits = (text: string, query: string): string[] =>
  markWords(text, queryPattern(query))
    .filter((run) => run.hit)
    .map((run) => run.text);

describe('markWords', () => {
  it('finds whole words by their beginnings, endings aside', () => {
    expect(hits('Deploying the deployment; redeploy it.', 'deploys')).toEqual(['Deploying', 'deployment']);
  });

  it('finds words inside scripts without spaces', () => {
    expect(hits('文档搜索很快', '搜索')).toEqual(['搜索']);
  });

  it('marks no function words where the query has others, and nothing that begins with one or two letters of it', () => {
    expect(hits('Add a new address to an AI model', 'how to add a c to a model')).toEqual(['Add', 'address', 'model']);
    expect(hits('Go, good and going', 'go client')).toEqual(['Go']);
    expect(hits('A table and a page', 'a')).toEqual(['A', 'and', 'a']);
  });

  it('continues the word that is being typed, however short it is', () => {
    expect(hits('Custom domains and CSS', 'custom d')).toEqual(['Custom', 'domains']);
  });

  it('takes signs of regular expressions as text', () => {
    expect(hits('a+b (c', '( + [')).toEqual([]);
    expect(hits('call f(x)', 'f(x)')).toEqual(['f', 'x']);
  });

  it('loses no character', () => {
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

  it('shows the place where the words stand together', () => {
    const text = `needle ${filler} the needle in the haystack ${filler}`;
    const shown = excerpt(text, queryPattern('needle haystack'))
      .map((run) => run.text)
      .join('');
    expect(shown).toContain('needle in the haystack');
    expect(shown.startsWith('… ')).toBe(true);
    expect(shown.length).toBeLessThan(200);
  });

  it('leaves a short text whole', () => {
    expect(
      excerpt('A short text.', queryPattern('short'))
        .map((run) => run.text)
        .join(''),
    ).toBe('A short text.');
  });
});
