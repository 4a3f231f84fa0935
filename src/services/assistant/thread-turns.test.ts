import { describe, expect, it } from 'vitest';
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

  it('end when their reader disconnects', async () => {
    const turns = createThreadTurns();
    const reader = new AbortController();
    await turns.take('a', reader.signal);
    const second = turns.take('a', open());
    reader.abort();
    await expect(second).resolves.toBeTypeOf('function');
  });
});
