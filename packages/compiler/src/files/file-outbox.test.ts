import { expect, test } from 'vitest';
import { createFileOutbox } from './file-outbox.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function open() {
  const sent: { size: number; stored: () => void }[] = [];
  const outbox = createFileOutbox((bytes) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    sent.push({ size: bytes.byteLength, stored: resolve });
    return promise;
  });
  const file = { sha256: 'a'.repeat(64), sizeBytes: 0, type: 'text/plain' };
  const send = (sizeBytes: number) =>
    outbox.send(new Uint8Array(sizeBytes), { ...file, sizeBytes });
  return { outbox, send, sent };
}

test('small files are sent in order and in parallel, up to a limit', async () => {
  const { send, sent } = open();
  const all = Promise.all(Array.from({ length: 100 }, (_, size) => send(size)));
  await settle();
  expect(sent).toHaveLength(32);
  for (let next = 0; next < 100; next += 1) {
    sent[next]?.stored();
    await settle();
    expect(sent).toHaveLength(Math.min(100, 33 + next));
  }
  await all;
  expect(sent.map(({ size }) => size)).toEqual(Array.from({ length: 100 }, (_, size) => size));
});

test('large files are sent one after another, and one above the limit is sent alone', async () => {
  const { send, sent } = open();
  void send(12 << 20);
  void send(6 << 20);
  void send(40 << 20);
  for (const size of [12, 6, 40]) {
    await settle();
    expect(sent.map((one) => one.size >> 20).at(-1)).toBe(size);
    sent.at(-1)?.stored();
  }
});

test('the outbox is empty only when every file is stored', async () => {
  const { outbox, send, sent } = open();
  await Promise.all([send(1), send(1)]);
  let isEmpty = false;
  const empty = outbox.empty().then(() => {
    isEmpty = true;
  });
  sent[1]?.stored();
  await settle();
  expect(isEmpty).toBe(false);
  sent[0]?.stored();
  await empty;
});
