import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-ms.ts';
import { copyOf, plainText } from './index/stored-document.ts';
import { buildSearchIndex } from './load/build-search-index.ts';
import { IndexData } from './load/index-data.ts';
import { loadSearchIndex } from './load/load-search-index.ts';
import { groupByPage, type SearchDocument, type SearchOptions } from './search-index.ts';
import { cutIndex } from './shards/cut-index.ts';
import type { Shard } from './shards/shard-format.ts';
import { openShardedIndex } from './shards/sharded-index.ts';

function section(
  path: string,
  title: string,
  markdown: string,
  more: Partial<SearchDocument> = {},
): SearchDocument {
  return {
    path,
    href: `/${path}`,
    pageTitle: title,
    description: '',
    keywords: [],
    anchor: '',
    headings: [],
    markdown,
    ...plainText(markdown),
    boost: 1,
    ...more,
  };
}

const documents = [
  section(
    'guides/install',
    'Install',
    'Download the package and run the installer on your machine.',
    {
      description: 'Set up the product.',
    },
  ),
  section(
    'guides/install',
    'Install',
    'Run `npm install widget-kit`.\n\n```sh\nnpm install widget-kit\n```',
    {
      anchor: 'npm',
      headings: ['With npm'],
    },
  ),
  section(
    'guides/webhooks',
    'Webhooks',
    'We receive events and deliver them to your endpoint. A failed delivery is retried.',
    {
      keywords: ['callbacks'],
    },
  ),
  section(
    'guides/webhooks',
    'Webhooks',
    'Every request carries a signature. Compare it in constant time.',
    {
      anchor: 'signature',
      headings: ['Verify the signature'],
    },
  ),
  section(
    'reference/client',
    'Client options',
    'The option `maxRetries` sets how often a call is tried again.',
    {
      anchor: 'retries',
      headings: ['Retries'],
    },
  ),
  section('reference/users', 'Get a user', 'Returns one user.', {
    operation: 'GET /v1/users/{id}',
  }),
  section('zh/search', '搜索', '您可以在文档中搜索内容，并按版本过滤。', { language: 'zh' }),
  section('v1/limits', 'Limits', 'The quota is ten calls a minute.', {
    version: 'v1',
    language: 'en',
    tag: 'beta',
  }),
  section('v2/limits', 'Limits', 'The quota is one hundred calls a minute.', {
    version: 'v2',
    language: 'en',
  }),
];

const index = loadSearchIndex(buildSearchIndex(documents));
const paths = (query: string, options: Partial<SearchOptions> = {}) =>
  index.search(query, { limit: 10, ...options }).map((hit) => hit.document.path);

describe('an index', () => {
  it('consists of the same bytes for the same documents', () => {
    expect(buildSearchIndex(documents)).toEqual(buildSearchIndex(structuredClone(documents)));
  });

  it('returns the complete document of a hit', () => {
    const [hit] = index.search('verify signature', { limit: 1 });
    expect(copyOf(hit?.document as SearchDocument)).toEqual({
      ...documents[3],
      keywords: ['callbacks'],
    });
  });

  it('stores the Markdown of a section once', () => {
    const text = 'An unmistakable sentence about zebras.';
    const file = new TextDecoder().decode(buildSearchIndex([section('a', 'A', text)]));
    expect(file.split(text)).toHaveLength(2);
  });

  it('lists its versions and languages', () => {
    expect(index.versions).toEqual(['v1', 'v2']);
    expect(index.languages).toEqual(['zh', 'en']);
  });

  it('finds nothing if it is empty', () => {
    expect(loadSearchIndex(buildSearchIndex([])).search('anything', { limit: 5 })).toEqual([]);
  });

  it.each([
    ['an empty file', new Uint8Array()],
    ['other bytes', new Uint8Array(5000).fill(65)],
    ['unrelated JSON', new TextEncoder().encode('null\n')],
    ['a truncated index', buildSearchIndex(documents).subarray(0, 400)],
  ])('rejects %s with a clear error', (_, bytes) => {
    expect(() => loadSearchIndex(bytes)).toThrow(/search index.*build the site again/);
  });
});

describe('search', () => {
  it.each([
    ['an inflected form', 'installing', 'guides/install'],
    ['an identifier by its parts', 'max retries', 'reference/client'],
    ['an identifier as written', 'maxRetries', 'reference/client'],
    ['an operation', 'GET /v1/users', 'reference/users'],
    ['a keyword of the page', 'callbacks', 'guides/webhooks'],
    ['an everyday synonym', 'set up', 'guides/install'],
    ['a typo', 'signatrue', 'guides/webhooks'],
    ['a word of code', 'widget-kit', 'guides/install'],
    ['a phrase without spaces', '过滤', 'zh/search'],
    ['one word written as two', 'web hooks', 'guides/webhooks'],
  ])('finds a page by %s', (_, query, path) => {
    expect(paths(query)[0]).toBe(path);
  });

  it('completes the last word only if the option is on', () => {
    expect(paths('signat')).toContain('guides/webhooks');
    expect(paths('signat', { completeLastWord: false })).not.toContain('guides/webhooks');
  });

  it('matches some words of a question and ranks pages with more of them first', () => {
    expect(paths('how do I verify the signature of zebras?')[0]).toBe('guides/webhooks');
  });

  it('matches a phrase of the lexicon as a whole and not by its words', () => {
    const known = loadSearchIndex(
      buildSearchIndex([
        section('passkeys', 'Passkeys', 'A biometric login.'),
        section('avatars', 'Avatars', 'The avatar of a user.'),
      ]),
    );
    const found = (query: string) =>
      known.search(query, { limit: 10 }).map((hit) => hit.document.path);
    expect(found('face')).toEqual(['avatars']);
    expect(found('face id')).toEqual(['passkeys']);
  });

  it.each(["doesn't", 'isn’t', "won't"])('treats %s as a function word', (contraction) => {
    const plain = loadSearchIndex(
      buildSearchIndex([section('a', 'Limits', `It ${contraction} end.`)]),
    );
    expect(plain.search(`${contraction} zebra`, { limit: 10 })).toEqual([]);
  });

  it('returns scores between 0 and 1 in descending order', () => {
    const scores = index
      .search('retry a failed delivery to my endpoint', { limit: 10 })
      .map((hit) => hit.score);
    expect(scores.length).toBeGreaterThan(1);
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('excludes other versions, languages, and tags than the filter names, but keeps pages without a label', () => {
    expect(paths('quota', { filter: { version: 'v2' } })).toEqual(['v2/limits']);
    expect(paths('quota', { filter: { tag: 'beta' } })).toEqual(['v1/limits']);
    expect(paths('搜索', { filter: { language: 'en' } })).toEqual([]);
    expect(paths('installer', { filter: { version: 'v2', language: 'zh' } })).toContain(
      'guides/install',
    );
  });

  it('finds a page that several versions share in each of them, under the version that the reader sees', async () => {
    const shared = { version: 'v1', versions: ['v1', 'v2'] };
    const bytes = buildSearchIndex([
      section('docker', 'Deploy with Docker', 'Run the container.', shared),
      section('v1/run', 'Run', 'Run it in a container.', { version: 'v1' }),
      section('v3/run', 'Run', 'Run it in a container.', { version: 'v3' }),
      section('words', 'Words', 'Texte.', { language: 'en', languages: ['en', 'fr'] }),
    ]);
    const { head, shards } = cutIndex(new IndexData(bytes));
    const parts = [...shards];
    const whole = loadSearchIndex(bytes);
    const sharded = openShardedIndex(head, async (number) => parts[number] as Shard);
    for (const searched of [whole, sharded]) {
      const found = async (query: string, options: Partial<SearchOptions>) =>
        (await searched.search(query, { limit: 9, ...options })).map(
          ({ document: { path, version } }) => [path, version],
        );
      expect(await found('container', { filter: { version: 'v2' } })).toEqual([['docker', 'v2']]);
      expect(await found('container', { defaults: { version: 'v2' } })).toEqual([['docker', 'v2']]);
      expect((await found('docker', { filter: { version: 'v1' } }))[0]).toEqual(['docker', 'v1']);
      expect(
        (await found('container', { currentPath: 'docker', defaults: { version: 'v2' } })).flat(),
      ).not.toContain('v1/run');
      expect((await found('container', { filter: { version: 'v3' } })).flat()).toEqual([
        'v3/run',
        'v3',
      ]);
      expect(await found('texte', { filter: { language: 'fr' } })).toEqual([['words', undefined]]);
    }
    expect([...whole.versions].sort()).toEqual(['v1', 'v2', 'v3']);
    expect([...whole.languages].sort()).toEqual(['en', 'fr']);
  });

  it('is not filled by one page, however many of its sections match', () => {
    const settings = Array.from({ length: 300 }, (_, at) =>
      section('settings', 'Settings', `The timeout of the queue ${at} in seconds.`, {
        anchor: `s${at}`,
        headings: [`Queue ${at}`],
      }),
    );
    const others = Array.from({ length: 5 }, (_, at) =>
      section(`guide-${at}`, `Guide ${at}`, 'Choose a timeout.'),
    );
    const crowded = loadSearchIndex(buildSearchIndex([...settings, ...others]));
    const found = crowded
      .search('queue timeout', { limit: 80 })
      .map(({ document }) => document.path);
    expect(new Set(found).size).toBe(6);
    expect(found.filter((path) => path === 'settings')).toHaveLength(12);
  });

  it('finds only pages in the language of the reader, unless they lack a word of the query', () => {
    const page = (path: string, language: string, text: string) =>
      section(path, path, text, { language });
    const translated = loadSearchIndex(
      buildSearchIndex([
        page('en/hooks', 'en', 'Register an endpoint that receives webhook events.'),
        page(
          'fr/hooks',
          'fr',
          'Enregistrez un endpoint webhook. Le webhook a un endpoint. Un endpoint par webhook.',
        ),
        section('api', 'API', 'The webhook of an endpoint.'),
      ]),
    );
    const found = (query: string, language: string, currentPath = '') =>
      translated
        .search(query, { limit: 10, defaults: { language }, currentPath })
        .map((hit) => hit.document.path);
    expect(found('webhook endpoint', 'en').sort()).toEqual(['api', 'en/hooks']);
    expect(found('webhook endpoint', 'en', 'fr/hooks').sort()).toEqual(['api', 'fr/hooks']);
    expect(found('enregistrez endpoint', 'en')).toContain('fr/hooks');
    expect(found('webhook endpoint', 'de').sort()).toEqual(['api', 'en/hooks', 'fr/hooks']);
  });

  it('excludes restricted pages unless the filter names one of their groups', () => {
    const protectedIndex = loadSearchIndex(
      buildSearchIndex([
        section('open', 'Quota', 'The quota is ten.'),
        section('inside', 'Quota', 'The quota is one thousand.', {
          groups: ['staff', 'partners'],
          version: 'secret',
        }),
      ]),
    );
    const found = (groups?: string[]) =>
      protectedIndex
        .search('quota', { limit: 10, filter: groups && { groups } })
        .map((hit) => hit.document.path);
    expect(found()).toEqual(['open']);
    expect(found([])).toEqual(['open']);
    expect(found(['customers', '*', ''])).toEqual(['open']);
    expect(found(['partners']).sort()).toEqual(['inside', 'open']);
    expect(protectedIndex.versions).toEqual([]);
  });

  it('keeps filters of different queries independent', () => {
    for (let round = 0; round < 20; round++)
      paths('quota', { filter: { version: 'v1', tag: `t${round}` } });
    expect(paths('quota', { filter: { version: 'v2' } })).toEqual(['v2/limits']);
    expect(paths('quota', { filter: { version: 'v1' } })).toEqual(['v1/limits']);
  });

  it('is limited to the version of the current page, or else to the default version', () => {
    expect(paths('quota', { currentPath: '/v1/limits', defaults: { version: 'v2' } })).toEqual([
      'v1/limits',
    ]);
    expect(paths('quota', { currentPath: 'guides/install', defaults: { version: 'v2' } })).toEqual([
      'v2/limits',
    ]);
    expect(paths('quota', { defaults: { version: 'v9' } })).toHaveLength(2);
  });

  it('ranks neighbors of the current page first among equals', () => {
    const twins = loadSearchIndex(
      buildSearchIndex([
        section('a/one', 'Same', 'equal text'),
        section('b/two', 'Same', 'equal text'),
      ]),
    );
    const first = (currentPath: string) =>
      twins.search('equal', { limit: 1, currentPath })[0]?.document.path;
    expect([first('a/x'), first('b/x')]).toEqual(['a/one', 'b/two']);
  });

  it('respects boosts', () => {
    const boosted = loadSearchIndex(
      buildSearchIndex([
        section('a', 'Same', 'equal text'),
        section('b', 'Same', 'equal text', { boost: 2 }),
      ]),
    );
    expect(boosted.search('equal', { limit: 2 }).map((hit) => hit.document.path)).toEqual([
      'b',
      'a',
    ]);
  });

  it.each([
    '',
    '   ',
    '?!…',
    '\u0000\ud800',
    '__proto__ constructor toString',
    'a'.repeat(100_000),
    'the of and',
    '🚀🚀🚀',
    '𠮷',
  ])('accepts any text as a query: %j', (query) => {
    expect(() => paths(query.slice(0, 200_000))).not.toThrow();
  });

  it('handles a long hostile query in limited time', () => {
    const start = cpuMs();
    paths(Array.from({ length: 100_000 }, (_, word) => `install${word % 7}`).join(' '));
    expect(cpuMs() - start).toBeLessThan(3000);
  });

  it('finds words that are names of built-in properties', () => {
    const named = loadSearchIndex(
      buildSearchIndex([section('__proto__', 'constructor', 'hasOwnProperty and __proto__')]),
    );
    expect(named.search('constructor', { limit: 1 })[0]?.document.path).toBe('__proto__');
  });
});

describe('groupByPage', () => {
  it('joins the sections of a page and keeps pages in the order of their best sections', () => {
    const hit = (path: string, score: number) => ({ document: section(path, path, ''), score });
    const pages = groupByPage([
      hit('a', 0.5),
      hit('b', 0.49),
      hit('a', 0.48),
      hit('b', 0.47),
      hit('c', 0.2),
    ]);
    expect(pages.map((page) => [page.path, page.score, page.sections.length])).toEqual([
      ['a', 0.5, 2],
      ['b', 0.49, 2],
      ['c', 0.2, 1],
    ]);
  });
});

describe('ranking', () => {
  it('gives more weight to a code name than to another word', () => {
    const index = loadSearchIndex(
      buildSearchIndex([
        section('a', 'One', 'About deadline, deadline, deadline, deadline and deadline here.'),
        section('b', 'Two', 'About `pollInterval` here.'),
      ]),
    );
    const found = index.search('pollInterval deadline', { limit: 5, completeLastWord: false });
    expect(found.map((hit) => hit.document.path)).toEqual(['b', 'a']);
  });

  it('finds no page by function words beside other words, but finds a title made of them', () => {
    const index = loadSearchIndex(
      buildSearchIndex([
        section('a', 'What is it', 'Zebras.'),
        section('b', 'How to do this', 'Lions.'),
      ]),
    );
    const paths = (query: string) =>
      index.search(query, { limit: 5, completeLastWord: false }).map((hit) => hit.document.path);
    expect(paths('what is a lion')).toEqual(['b']);
    expect(paths('what is it')).toEqual(['a']);
  });
});
