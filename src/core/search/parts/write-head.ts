import { encodeUtf8 } from '../utf8.ts';
import { BitWriter } from './bit-coder.ts';
import { RepetitionFinder } from './find-repetitions.ts';
import { codeHead, type PartHead, type WrittenBytes } from './part-head.ts';
import type { PartModels } from './part-models.ts';
import { toPrintable } from './printable.ts';

/** Writes the head of an index in parts; `readHead` reads it. */
export function writeHead(head: PartHead): { text: string; models: PartModels } {
  const writer = new BitWriter();
  const { models } = codeHead(writer, {
    head,
    kinds: written(encodeUtf8(JSON.stringify(head.kinds))),
    sample: written(head.sample),
  });
  return { text: toPrintable(writer.toBytes()), models };
}

function written(bytes: Uint8Array): WrittenBytes {
  return { bytes, find: new RepetitionFinder(new Uint8Array()).begin(bytes) };
}
