import { createHash } from 'node:crypto';
import { hasZeroBits } from '@docent/assistant/bot-check.ts';
import { describe, expect, it } from 'vitest';
import { sha256, solve } from './bot-check.ts';

describe('the proof of work of a panel', () => {
  it.each([
    '',
    'abc',
    'a'.repeat(55),
    'a'.repeat(56),
    'a'.repeat(64),
    'x.1766300000.pQ'.repeat(20),
  ])('hashes %.20j like the server', (text) => {
    const hex = [...sha256(text)]
      .map((word) => (word >>> 0).toString(16).padStart(8, '0'))
      .join('');
    expect(hex).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('is accepted by the server', async () => {
    const proof = await solve(
      { challenge: 'abc.1766300000.def', bits: 12 },
      new AbortController().signal,
    );
    expect(hasZeroBits(createHash('sha256').update(proof).digest(), 12)).toBe(true);
  });

  it('is aborted with the reason of its signal', async () => {
    const controller = new AbortController();
    const solving = solve({ challenge: 'abc', bits: 32 }, controller.signal);
    controller.abort(new Error('stopped'));
    await expect(solving).rejects.toThrow('stopped');
  });
});
