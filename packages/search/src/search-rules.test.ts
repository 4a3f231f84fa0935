import { describe, expect, it } from 'vitest';
import { searchDocument } from '../../../test/support/publish-index.ts';
import { buildSearchIndex } from './load/build-search-index.ts';
import { IndexData } from './load/index-data.ts';
import { loadSearchIndex } from './load/load-search-index.ts';
import type { SearchFilter, SearchHit } from './search-index.ts';
import { isPhrase, type SearchRules } from './search-rules.ts';
import { cutIndex } from './shards/cut-index.ts';
import type { Shard } from './shards/shard-format.ts';
import { openShardedIndex } from './shards/sharded-index.ts';

const bytes = buildSearchIndex([
  searchDocument('keys', 'API keys', 'Rotate an API key with the command acme rotate.'),
  searchDocument('keys-old', 'Rotate API keys', 'Rotate an API key in the old console.'),
  searchDocument('hub', 'Hubs', 'A hub has members. Invite a person to the hub by e-mail.'),
  searchDocument('limits', 'Limits', 'A plan has limits.'),
  { ...searchDocument('inner', 'Rotate keys inside', 'Rotate an API key.'), groups: ['staff'] },
]);
const index = loadSearchIndex(bytes);

const rules = (change: Partial<SearchRules>): SearchRules => ({
  synonyms: [],
  pageRules: [],
  ...change,
});
const pagesOf = (query: string, change: Partial<SearchRules>, filter?: SearchFilter) => [
  ...new Set(
    index
      .search(query, { limit: 20, filter, rules: rules(change) })
      .map(({ document }) => document.path),
  ),
];

describe('the rules of a search', () => {
  it('find a page by what the owners say means the same, also phrases, and in other forms', () => {
    expect(pagesOf('squads', {})).not.toContain('hub');
    expect(pagesOf('squads', { synonyms: [['hub', 'squad']] })[0]).toBe('hub');
    expect(pagesOf('meeting room', { synonyms: [['meeting room', 'hub']] })[0]).toBe('hub');
    expect(['hub', 'meeting room', 'single sign-on']).toSatisfy((all: string[]) =>
      all.every(isPhrase),
    );
    expect(['', '…', 'a phrase with five words'].some(isPhrase)).toBe(false);
  });

  it('put a pinned page first for every question with the words of the rule, and for no other', () => {
    const pageRules = [{ question: 'rotate a key', pin: ['/limits'], block: [] }];
    for (const query of ['How do I rotate my API keys?', 'key rotating', 'rotate key now'])
      expect(pagesOf(query, { pageRules })[0]).toBe('limits');
    expect(pagesOf('What is a key?', { pageRules })).not.toContain('limits');
    const hits = index.search('rotate a key', { limit: 20, rules: rules({ pageRules }) });
    expect(hits[0]).toMatchObject({ isPinned: true, isNamed: true, share: 1 });
  });

  it('leave out a blocked page for its question only', () => {
    const pageRules = [{ question: 'rotate a key', pin: [], block: ['keys-old'] }];
    expect(pagesOf('rotate a key', {})).toContain('keys-old');
    expect(pagesOf('rotate a key', { pageRules })).not.toContain('keys-old');
    expect(pagesOf('old console', { pageRules })).toContain('keys-old');
  });

  it('never show a page that the reader may not read, or that does not exist', () => {
    const pageRules = [{ question: 'rotate a key', pin: ['inner', 'nowhere'], block: [] }];
    expect(pagesOf('rotate a key', { pageRules })).not.toContain('inner');
    expect(pagesOf('rotate a key', { pageRules }, { groups: ['staff'] })[0]).toBe('inner');
  });

  it('give the same hits from an index in shards, as browsers load it', async () => {
    const { head, shards } = cutIndex(new IndexData(bytes));
    const loaded = [...shards];
    const sharded = openShardedIndex(head, async (number) => loaded[number] as Shard);
    const change = rules({
      synonyms: [['hub', 'squad']],
      pageRules: [{ question: 'squad', pin: ['limits'], block: ['keys'] }],
    });
    const options = { limit: 20, rules: change };
    const paths = (hits: readonly SearchHit[]) =>
      hits.map(({ document, score }) => `${document.path} ${score}`);
    const hits = await sharded.search('key of a squad', options);
    expect(paths(hits)).toEqual(paths(index.search('key of a squad', options)));
    expect(hits[0]?.document.path).toBe('limits');
  });
});
