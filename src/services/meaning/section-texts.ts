import { createHash } from 'node:crypto';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { embeddingText } from '../../core/search/embedding-text.ts';
import { IndexData } from '../../core/search/index-data.ts';
import { KEY_BYTES } from '../../core/search/section-vectors.ts';

/** Sections read in one go; a large site has tens of thousands, and requests are answered beside. */
const AT_ONCE = 200;

/** What is embedded of an index: the text of each section, and a key that names the text. */
export interface SectionTexts {
  texts: string[];
  /** `KEY_BYTES` a section. */
  keys: Uint8Array;
}

/** @throws Error where the bytes are not an index of this version */
export async function sectionTexts(index: Uint8Array): Promise<SectionTexts> {
  const data = new IndexData(index);
  const texts: string[] = [];
  const keys = new Uint8Array(data.sectionCount * KEY_BYTES);
  for (let section = 0; section < data.sectionCount; section++) {
    const text = embeddingText(data.document(section));
    texts.push(text);
    keys.set(createHash('sha256').update(text).digest().subarray(0, KEY_BYTES), section * KEY_BYTES);
    if (section % AT_ONCE === AT_ONCE - 1) await letOthersRun();
  }
  return { texts, keys };
}

/** The key of one section, as a name in maps. */
export function keyName(keys: Uint8Array, section: number): string {
  return Buffer.from(keys.buffer, keys.byteOffset + section * KEY_BYTES, KEY_BYTES).toString('base64');
}
