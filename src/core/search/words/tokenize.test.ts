import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-ms.ts';
import { scanWords, tokenize } from './tokenize.ts';

describe('tokenize', () => {
  it('finds an identifier whole and by its parts, however it is written', () => {
    for (const spelling of ['maxRetries', 'max_retries', 'max-retries', 'MAX_RETRIES', 'max.retries']) {
      expect(tokenize(spelling)).toEqual(['maxretries', 'max', 'retries']);
    }
    expect(tokenize('HTTPServer')).toEqual(['httpserver', 'http', 'server']);
  });

  it('takes paths apart', () => {
    expect(tokenize('GET /v1/users/{id}')).toEqual(['get', 'v1', 'users', 'id']);
  });

  it('keeps version numbers whole', () => {
    expect(tokenize('v1.2.3, Node 24.1.')).toEqual(['v1.2.3', 'node', '24.1']);
  });

  it('folds case and diacritics', () => {
    expect(tokenize('Crème STRASSE straße Łódź')).toEqual(['creme', 'strasse', 'strasse', 'lodz']);
  });

  it('drops possessives and joins contractions', () => {
    expect(tokenize("the user's isn’t")).toEqual(['the', 'user', 'isn']);
  });

  it('reads scripts without spaces as pairs of characters', () => {
    expect(tokenize('日本語検索')).toEqual(['日本', '本語', '語検', '検索']);
    expect(tokenize('검색 API')).toEqual(['검색', 'api']);
    expect(tokenize('字')).toEqual(['字']);
  });

  it('keeps an address whole instead of cutting it into noise', () => {
    expect(tokenize('7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV')).toEqual(['7ecdhsygxxyscszyep35khn8vvw3svaulktzxwcfltv']);
  });

  it('passes over runs too long to be words, emoji and lone halves of characters', () => {
    expect(tokenize(`${'a'.repeat(500)} ok 🚀 \ud800 fine`).filter((token) => /^[a-z]+$/.test(token))).toEqual(['ok', 'fine']);
  });

  it('gives the offset of every word', () => {
    const found: [string, number][] = [];
    scanWords('a self-hosted  app', (word, start) => found.push([word, start]));
    expect(found).toEqual([
      ['a', 0],
      ['self-hosted', 2],
      ['app', 15],
    ]);
  });

  it('takes time in proportion to a hostile text', () => {
    const start = cpuMs();
    tokenize("a-.'".repeat(200_000));
    tokenize('aB'.repeat(200_000));
    expect(cpuMs() - start).toBeLessThan(5000);
  });
});
