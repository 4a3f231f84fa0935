import { expect, test } from 'vitest';
import { WireFrames } from './pglite-engine.ts';

const startUp = Uint8Array.of(0, 0, 0, 8, 0, 3, 0, 0);
const query = Uint8Array.of(0x51, 0, 0, 0, 6, 0x61, 0);
const sync = Uint8Array.of(0x53, 0, 0, 0, 4);
const stream = Uint8Array.of(...startUp, ...query, ...sync);
const plain = (frames: Uint8Array[]) => frames.map((frame) => [...frame]);

test('messages are reassembled completely and in order from chunks of any size', () => {
  for (let size = 1; size <= stream.length; size += 1) {
    const frames = new WireFrames();
    const found: Uint8Array[] = [];
    for (let at = 0; at < stream.length; at += size)
      found.push(...frames.push(stream.subarray(at, at + size)));
    expect(plain(found)).toEqual(plain([startUp, query, sync]));
  }
});

test('a length that would never advance is an error', () => {
  const frames = new WireFrames();
  frames.push(startUp);
  expect(() => frames.push(Uint8Array.of(0x51, 0, 0, 0, 0))).toThrow(RangeError);
});
