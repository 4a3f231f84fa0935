import { expect, test } from 'vitest';
import { createFileOutbox } from './file-outbox.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function open() {
  const sent: { id: number; size: number }[] = [];
  const outbox = createFileOutbox((id, bytes) => void sent.push({ id, size: bytes.byteLength }));
  const file = { sha256: 'a'.repeat(64), sizeBytes: 0, type: 'text/plain' };
  const send = (sizeBytes: number) => outbox.send(new Uint8Array(sizeBytes), { ...file, sizeBytes });
  return { outbox, send, sent };
}

test('small files are sent in parallel, up to a limit', async () => {
  const { outbox, send, sent } = open();
  const all = Promise.all(Array.from({ length: 100 }, () => send(10)));
  await settle();
  expect(sent).toHaveLength(32);
  for (let next = 0; next < 100; next += 1) {
    outbox.stored(next);
    await settle();
  }
  await all;
  expect(sent.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, id) => id));
});

test('large files are sent one after another, and one above the limit is sent alone', async () => {
  const { outbox, send, sent } = open();
  void send(12 << 20);
  void send(6 << 20);
  void send(40 << 20);
  for (const size of [12, 6, 40]) {
    await settle();
    expect(sent.map((one) => one.size >> 20).at(-1)).toBe(size);
    outbox.stored(sent.length - 1);
  }
});

test('the outbox is empty only when every file is stored', async () => {
  const { outbox, send } = open();
  await Promise.all([send(1), send(1)]);
  let isEmpty = false;
  const empty = outbox.empty().then(() => {
    isEmpty = true;
  });
  outbox.stored(1);
  await settle();
  expect(isEmpty).toBe(false);
  outbox.stored(0);
  await empty;
});
