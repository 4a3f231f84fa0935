import { plainText } from '@docent/search/index/stored-document.ts';
import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import type { SearchDocument } from '@docent/search/search-index.ts';
import { describe, expect, it } from 'vitest';
import { readAssistantRequest } from '../chat/read-assistant-request.ts';
import { foreignWords } from './foreign-words.ts';
import { retrieve } from './retrieve.ts';

const base = { description: '', keywords: [], anchor: '', headings: [], boost: 1 };
const section = (
  path: string,
  pageTitle: string,
  markdown: string,
  more: Partial<SearchDocument> = {},
): SearchDocument => ({
  ...base,
  path,
  href: `/${path}`,
  pageTitle,
  markdown,
  ...plainText(markdown),
  ...more,
});

const index = loadSearchIndex(
  buildSearchIndex([
    section('keys', 'API keys', 'A key is a secret.', { version: 'v1', language: 'en' }),
    section('keys', 'API keys', 'Rotate a key by creating a second one.', {
      anchor: 'rotate',
      headings: ['Rotate a key'],
      version: 'v1',
      language: 'en',
    }),
    section('v2/keys', 'API keys', 'Rotate a key with the command `keys rotate`.', {
      version: 'v2',
      language: 'en',
    }),
    section('webhooks', 'Webhooks', 'A delivery that fails is retried for a day.'),
    section('limits', 'Limits', 'A zeppelin carries a hundred people.', { language: 'en' }),
    section('limits', 'Limits', 'Ask us to raise it.', {
      anchor: 'raise',
      headings: ['Raise it'],
      language: 'en',
    }),
    section('fr/limits', 'Limites', 'Un zeppelin porte cent personnes.', { language: 'fr' }),
    section(
      'balloons',
      'Balloons',
      `${'Air carries it further.\n\n'.repeat(300)}The balloon lands at the very end.`,
    ),
    section(
      'long',
      'Long page',
      `${'Telescope words fill this line.\n'.repeat(400)}\`\`\`sh\n${'telescope --now\n'.repeat(400)}\`\`\``,
    ),
  ]),
);
const ask = (content: string, fields: object = {}) =>
  retrieve(
    index,
    readAssistantRequest({ fp: 'anonymous', messages: [{ role: 'user', content }], ...fields }),
    {
      publicUrl: 'https://docs.example.com',
      foreignWords,
    },
  );

describe('the open page', () => {
  it('ranks first, with its sections in order, if the question refers to the page', async () => {
    const { passages, pages, pointsAt } = await ask('Summarize this page', {
      currentPath: '/keys',
    });
    expect(pointsAt).toBe('page');
    expect(pages[0]?.path).toBe('keys');
    expect(passages.slice(0, 2).map(({ content }) => content)).toEqual([
      'A key is a secret.',
      'Rotate a key by creating a second one.',
    ]);
  });

  it('ranks first the section that the selection is in', async () => {
    const context = [{ type: 'textSelection', value: 'by creating a second', path: '/keys' }];
    const { passages, pointsAt } = await ask('what does this mean?', { context });
    expect(pointsAt).toBe('selection');
    expect(passages[0]?.headings).toEqual(['Rotate a key']);
  });

  it('is not used if it is unknown', async () => {
    const { pointsAt } = await ask('Summarize this page', { currentPath: '/none' });
    expect(pointsAt).toBeUndefined();
  });
});

describe('retrieval', () => {
  it('finds nothing for a message without a question', async () => {
    expect((await ask('hi, thanks')).pages).toEqual([]);
  });

  it('joins the sections of a page and links to the best of them', async () => {
    const { pages, passages } = await ask('How do I rotate a key?', { filter: { version: 'v1' } });
    expect(pages[0]).toMatchObject({
      path: 'keys',
      url: 'https://docs.example.com/keys#rotate',
      metadata: { title: 'API keys', version: 'v1', language: 'en' },
    });
    expect(pages[0]?.content).toContain('## Rotate a key\n\nRotate a key by creating');
    expect(passages[0]).toMatchObject({
      path: 'keys',
      headings: ['Rotate a key'],
      content: 'Rotate a key by creating a second one.',
    });
  });

  it('prefers the version of the page with the selection over that of the open page', async () => {
    const selected = (path: string) => ({
      context: [{ type: 'textSelection', value: 'rotate', path }],
      currentPath: 'webhooks',
    });
    expect((await ask('How do I rotate a key?', selected('v2/keys'))).pages[0]?.path).toBe(
      'v2/keys',
    );
    expect((await ask('How do I rotate a key?', selected('/keys'))).pages[0]?.path).toBe('keys');
  });

  it('returns one of the translations of a page', async () => {
    expect((await ask('zeppelin')).pages.map(({ path }) => path)).toEqual(['limits']);
    expect(
      (await ask('zeppelin', { filter: { language: 'fr' } })).pages.map(({ path }) => path),
    ).toEqual(['fr/limits']);
  });

  it('returns as many pages as requested', async () => {
    expect((await ask('key webhook telescope', { retrievalPageSize: 1 })).pages).toHaveLength(1);
    expect((await ask('key webhook telescope', { retrievalPageSize: 3 })).pages).toHaveLength(3);
  });

  it('finds nothing in an unknown version or language and reports that in a note', async () => {
    expect(await ask('rotate a key', { filter: { version: 'v9' } })).toMatchObject({
      pages: [],
      passages: [],
      note: expect.stringContaining('“v9” (it has v1, v2)'),
    });
    expect(await ask('rotate a key', { filter: { language: 'pt' } })).toMatchObject({
      pages: [],
      passages: [],
      note: expect.stringContaining('“pt”'),
    });
  });

  it('is limited to the version of the current page', async () => {
    expect(
      (await ask('rotate a key', { currentPath: '/v2/keys' })).pages.map((page) => page.path),
    ).toEqual(['v2/keys']);
  });

  it('combines a short follow-up with the question before it', async () => {
    const messages = [
      { role: 'user', content: 'What happens when a webhook delivery fails?' },
      { role: 'assistant', content: 'It is retried.' },
      { role: 'user', content: 'For how long?' },
    ];
    const { query, pages } = await ask('', { messages });
    expect(query).toContain('webhook delivery');
    expect(pages[0]?.path).toBe('webhooks');
    expect(
      (
        await ask('', {
          messages: [
            ...messages.slice(0, 2),
            { role: 'user', content: 'Show me the telescope command of the long page' },
          ],
        })
      ).query,
    ).not.toContain('webhook');
  });

  it('looks for the subject of a conversation before the last question, and prefers the pages that were quoted', async () => {
    const user = (content: string) => ({ role: 'user', content });
    const quoted = (path: string) => ({
      role: 'assistant',
      content: `From [a page](https://docs.example.com/${path}#x):`,
    });
    const webhooks = [
      user('What happens when a webhook delivery fails?'),
      quoted('webhooks'),
      user('and then?'),
    ];
    const third = await ask('', {
      messages: [...webhooks, quoted('webhooks'), user('For how long?')],
    });
    expect(third.query).toBe('For how long? and then? What happens when a webhook delivery fails?');
    expect(third.pages[0]?.path).toBe('webhooks');
    const of = async (path: string) => {
      const messages = [user('How do I rotate a key?'), quoted(path), user('what about that?')];
      return (await ask('', { messages })).pages[0]?.path;
    };
    expect([await of('keys'), await of('v2/keys')]).toEqual(['keys', 'v2/keys']);
    // A question with a subject of its own has nothing to do with what was quoted before.
    const messages = [
      user('zeppelin?'),
      quoted('limits'),
      user('Show me the telescope command of the long page'),
    ];
    expect((await ask('', { messages })).pages[0]?.path).toBe('long');
  });

  it('includes the selection in the search', async () => {
    expect(
      (await ask('what does this mean', { context: [{ type: 'code', value: 'telescope --now' }] }))
        .pages[0]?.path,
    ).toBe('long');
  });

  it('limits the text of a page and closes a code block that it cuts', async () => {
    const [page] = (await ask('telescope')).pages;
    expect((page?.content ?? '').length).toBeLessThan(6200);
    for (const { content } of (await ask('telescope')).passages)
      expect((content.match(/^```/gm) ?? []).length % 2).toBe(0);
  });

  it('returns a long section in full as a passage, because the answer may be at its end', async () => {
    const [passage] = (await ask('which balloon lands at the very end?')).passages;
    expect(passage?.content).toMatch(/The balloon lands at the very end\.$/);
  });
});
