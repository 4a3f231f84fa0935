import { expect, it } from 'vitest';
import { fakeClock } from '../../../../test/support/fakes.ts';
import type { NewMessage } from '../kernel/db/conversation-rows.ts';

import { recordAnswer, recordQuestion } from './conversation.ts';

const stored: NewMessage[] = [];
const deps = {
  clock: fakeClock(),
  threadWrites: {
    write: async ({ message }: { message: NewMessage }) => void stored.push(message),
  },
  threads: {
    turns: async () =>
      Array.from({ length: 20 }, (_, index) => ({
        role: 'user' as const,
        content: `${index} `.padEnd(30_000, 'x'),
        sources: [],
      })),
  },
} as unknown as Parameters<typeof recordQuestion>[0];
const site = { build: { pages: [] } } as unknown as Parameters<typeof recordQuestion>[3];
const question = { question: 'Why?', onlyNewest: true, caller: 'web' } as Parameters<
  typeof recordQuestion
>[2];

it('the text of earlier turns is limited, and the newest are kept', async () => {
  const { earlier } = await recordQuestion(
    deps,
    { id: 't' } as Parameters<typeof recordQuestion>[1],
    question,
    site,
  );
  expect(earlier.map(({ text }) => [text.slice(0, 3), text.length])).toEqual([
    ['17 ', 4000],
    ['18 ', 30_000],
    ['19 ', 30_000],
  ]);
});

it('an earlier answer from a page that the reader may no longer see is not used', async () => {
  const source = (path: string) => [{ url: `https://docs.acme.example${path}#keys` }];
  const turns = async () => [
    { role: 'user', content: 'first', sources: [] },
    { role: 'assistant', content: 'secret', sources: [...source('/open'), ...source('/staff')] },
    { role: 'assistant', content: 'open', sources: source('/open') },
    { role: 'assistant', content: 'deleted', sources: source('/deleted') },
  ];
  const siteOf = (...hrefs: string[]) => ({
    publicUrl: 'https://docs.acme.example',
    build: { pages: hrefs.map((href) => ({ href })), files: {} },
    as: () => (hrefs.includes('/staff') ? undefined : siteOf('/open', '/staff')),
  });
  const { earlier } = await recordQuestion(
    { ...deps, threads: { turns } } as unknown as typeof deps,
    { id: 't' } as Parameters<typeof recordQuestion>[1],
    question,
    siteOf('/open') as unknown as typeof site,
  );
  expect(earlier.map(({ text }) => text)).toEqual(['first', 'open', 'deleted']);
});

it('a stored answer is limited, and remains valid text where it is truncated', async () => {
  const answer = {
    threadId: 't',
    messageId: 'm',
    continues: false,
    sources: [],
    content: `${'x'.repeat(63_999)}😀`.repeat(2),
  };
  await recordAnswer(deps, answer as unknown as Parameters<typeof recordAnswer>[1]);
  expect(stored.at(-1)?.content).toBe(`${'x'.repeat(63_999)}\ufffd`);
});
