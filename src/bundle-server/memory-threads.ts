import { LRUCache } from 'lru-cache';
import type { NewMessage, ThreadRow } from '../db/threads.ts';
import type { ThreadWrites } from '../services/assistant/thread-writes.ts';
import type { Threads } from '../services/assistant/threads.ts';

interface HeldThread extends ThreadRow {
  siteId: string;
  messages: NewMessage[];
}

const MAX_THREADS = 2000;
/** Earlier turns do not help an answer. */
const MAX_MESSAGES = 60;

/**
 * Conversations in memory: a bundle server stores nothing about its readers. The least recently used threads are evicted first,
 * and all of them end with the process; a reader who continues an evicted one starts a new one.
 */
export function createMemoryThreads(): { threads: Threads; threadWrites: ThreadWrites } {
  const held = new LRUCache<string, HeldThread>({ max: MAX_THREADS });

  const threads: Threads = {
    async find(siteId, id) {
      const thread = held.get(id);
      return thread?.siteId === siteId ? thread : undefined;
    },
    async turns(threadId, { limit, before }) {
      const messages = held.get(threadId)?.messages ?? [];
      const end = messages.findIndex(({ id }) => id === before);
      const earlier = (end < 0 ? messages : messages.slice(0, end)).filter(({ content }) => content !== '');
      return earlier.slice(-limit).map(({ role, content }) => ({ role, content }));
    },
    async setHelpful({ threadId, messageId }) {
      const messages = held.get(threadId)?.messages ?? [];
      return messages.some(({ id, role }) => role === 'assistant' && (messageId === undefined || id === messageId));
    },
  };

  const threadWrites: ThreadWrites = {
    async write({ thread, message, replaces }) {
      const known = thread ? { ...thread, messages: [] } : held.get(message.threadId);
      if (!known) return;
      const at = replaces === undefined ? -1 : known.messages.findIndex(({ id }) => id === message.id);
      if (at >= 0) known.messages.splice(at, replaces === 'message' ? 1 : known.messages.length);
      known.messages.push(message);
      known.messages.splice(0, known.messages.length - MAX_MESSAGES);
      held.set(known.id, known);
    },
    settled: async () => {},
    expect: () => () => {},
    close: async () => {},
  };
  return { threads, threadWrites };
}
