import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-ms.ts';
import { scanWords, tokenize } from './tokenize.ts';

describe('tokenize', () => {
  it('returns an identifier as a whole and by its parts in any spelling', () => {
    for (const spelling of [
      'maxRetries',
      'max_retries',
      'max-retries',
      'MAX_RETRIES',
      'max.retries',
    ]) {
      expect(tokenize(spelling)).toEqual(['maxretries', 'max', 'retries']);
    }
    expect(tokenize('HTTPServer')).toEqual(['httpserver', 'http', 'server']);
  });

  it('splits paths', () => {
    expect(tokenize('GET /v1/users/{id}')).toEqual(['get', 'v1', 'users', 'id']);
  });

  it('keeps version numbers whole', () => {
    expect(tokenize('v1.2.3, Node 24.1.')).toEqual(['v1.2.3', 'node', '24.1']);
  });

  it('folds case and diacritics', () => {
    expect(tokenize('Crème STRASSE straße Łódź')).toEqual(['creme', 'strasse', 'strasse', 'lodz']);
  });

  it('drops the endings of possessives and contractions', () => {
    expect(tokenize("the user's isn’t")).toEqual(['the', 'user', 'isn']);
  });

  it('splits scripts without spaces into pairs of characters', () => {
    expect(tokenize('日本語検索')).toEqual(['日本', '本語', '語検', '検索']);
    expect(tokenize('검색 API')).toEqual(['검색', 'api']);
    expect(tokenize('字')).toEqual(['字']);
  });

  it('keeps a long random string whole', () => {
    expect(tokenize('7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV')).toEqual([
      '7ecdhsygxxyscszyep35khn8vvw3svaulktzxwcfltv',
    ]);
  });

  it('skips overlong runs, emoji, and lone surrogates', () => {
    expect(
      tokenize(`${'a'.repeat(500)} ok 🚀 \ud800 fine`).filter((token) => /^[a-z]+$/.test(token)),
    ).toEqual(['ok', 'fine']);
  });

  it('returns the offset of every word', () => {
    const found: [string, number][] = [];
    scanWords('a self-hosted  app', (word, start) => found.push([word, start]));
    expect(found).toEqual([
      ['a', 0],
      ['self-hosted', 2],
      ['app', 15],
    ]);
  });

  it('takes linear time on hostile text', () => {
    const start = cpuMs();
    tokenize("a-.'".repeat(200_000));
    tokenize('aB'.repeat(200_000));
    expect(cpuMs() - start).toBeLessThan(5000);
  });
});
