import { expect, test } from 'vitest';
import { collected } from '../../../../../test/support/collected.ts';
import { abortable } from './abortable.ts';

test('what is stored in chunks is never in memory as a whole: a chunk that was written is garbage', async () => {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 20; count++) yield new Uint8Array(1000);
  }
  const seen: WeakRef<object>[] = [];
  for await (const chunk of abortable(chunks(), new AbortController().signal)) {
    seen.push(new WeakRef(chunk));
    // While the rest is still to come.
    if (seen.length === 20) await collected(seen.slice(0, -2));
  }
  expect(seen).toHaveLength(20);
});
