import { describe, expect, it, vi } from 'vitest';
import { createThreadTurns } from './thread-turns.ts';

const open = () => new AbortController().signal;

describe('the turns of a conversation', () => {
  it('run one after another, without blocking other conversations', async () => {
    const turns = createThreadTurns();
    const log: string[] = [];
    const endFirst = await turns.take('a', open());
    const second = turns.take('a', open()).then((end) => {
      log.push('second');
      end();
    });
    const third = turns.take('a', open()).then(() => log.push('third'));
    await turns.take('b', open()).then(() => log.push('other'));
    endFirst();
    await Promise.all([second, third]);
    expect(log).toEqual(['other', 'second', 'third']);
  });

  it('end after two minutes, so that an answer that is stuck does not block its conversation for ever', async () => {
    vi.useFakeTimers();
    try {
      const turns = createThreadTurns();
      await turns.take('a', open());
      let isOver = false;
      const second = turns.take('a', open()).then(() => {
        isOver = true;
      });
      await vi.advanceTimersByTimeAsync(119_000);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1000);
      await second;
    } finally {
      vi.useRealTimers();
    }
  });

  it('end when their reader disconnects', async () => {
    const turns = createThreadTurns();
    const reader = new AbortController();
    await turns.take('a', reader.signal);
    const second = turns.take('a', open());
    reader.abort();
    await expect(second).resolves.toBeTypeOf('function');
  });
});
