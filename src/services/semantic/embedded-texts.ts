import { createHash } from 'node:crypto';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { embeddingText, pageEmbeddingText } from '../../core/search/embedding-text.ts';
import { IndexData } from '../../core/search/index/index-data.ts';
import { KEY_BYTES } from '../../core/search/section-vectors.ts';
import type { Embedder } from '../../ports/embedder.ts';

/** Texts built per turn; a large site has tens of thousands, and requests must be answered in between. */
const AT_ONCE = 200;

/** What is embedded of an index, and a key that identifies each text. */
export interface EmbeddedTexts {
  texts: string[];
  /** `KEY_BYTES` per text. */
  keys: Uint8Array;
}

/** Returns the texts of the sections or of the pages of an index. @throws Error if the bytes are not an index of this version */
export async function embeddedTexts(index: Uint8Array, { embeds }: Pick<Embedder, 'embeds'>): Promise<EmbeddedTexts> {
  const data = new IndexData(index);
  const count = embeds === 'pages' ? data.pages.length : data.sectionCount;
  const textOf = (at: number): string => {
    if (embeds === 'sections') return embeddingText(data.document(at));
    return pageEmbeddingText(data.document(data.firstSection[at] as number));
  };
  const texts: string[] = [];
  const keys = new Uint8Array(count * KEY_BYTES);
  for (let at = 0; at < count; at++) {
    const text = textOf(at);
    texts.push(text);
    keys.set(createHash('sha256').update(text).digest().subarray(0, KEY_BYTES), at * KEY_BYTES);
    if (at % AT_ONCE === AT_ONCE - 1) await letOthersRun();
  }
  return { texts, keys };
}

/** Returns the key of one text, as a map key. */
export function keyName(keys: Uint8Array, at: number): string {
  return Buffer.from(keys.buffer, keys.byteOffset + at * KEY_BYTES, KEY_BYTES).toString('base64');
}
