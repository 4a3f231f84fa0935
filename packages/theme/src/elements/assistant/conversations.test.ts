import { describe, expect, it } from 'vitest';
import {
  type Conversation,
  keepConversation,
  readConversations,
  type Store,
} from './conversations.ts';

function store(text: string | null = null): Store & { text: string | null } {
  const kept = {
    text,
    read: () => kept.text,
    write(next: string | null) {
      kept.text = next;
    },
  };
  return kept;
}

function conversation(id: string, answer = 'A', turnCount = 1): Conversation {
  const turn = { id: 'q', question: 'Q', context: [], answer, sources: [], state: 'done' as const };
  return {
    id,
    startedAt: 1,
    turns: Array.from({ length: turnCount }, (_, index) => ({ ...turn, id: `q${index}` })),
  };
}

describe('stored conversations', () => {
  it('are returned once each, the most recently updated first', () => {
    const kept = store();
    for (const id of ['a', 'b', 'a']) keepConversation(kept, conversation(id));
    expect(readConversations(kept).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('are limited in number, length and size, and the newest is kept', () => {
    const kept = store();
    for (let i = 0; i < 40; i++)
      keepConversation(kept, conversation(`c${i}`, 'x'.repeat(20_000), i === 39 ? 100 : 1));
    const found = readConversations(kept);
    expect(found[0]?.id).toBe('c39');
    expect(found[0]?.turns).toHaveLength(30);
    expect(kept.text?.length).toBeLessThan(700_000);
    for (let i = 0; i < 40; i++) keepConversation(kept, conversation(`d${i}`));
    expect(readConversations(kept)).toHaveLength(20);
  });

  it.each(['', '{', '{}', '[1,null,{"id":1}]', '[{"id":"a","startedAt":1,"turns":[{}]}]'])(
    'are empty if the storage contains %j',
    (text) => {
      expect(readConversations(store(text))).toEqual([]);
    },
  );

  it('contain no answer that is still marked as being written', () => {
    const writing = conversation('a');
    writing.turns[0]!.state = 'writing';
    const kept = store();
    keepConversation(kept, writing);
    expect(readConversations(kept)[0]?.turns[0]?.state).toBe('stopped');
  });
});
