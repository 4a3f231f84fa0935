import { encodeUtf8 } from '../utf8.ts';
import type { IndexSubset } from './index-subset.ts';

/** Bytes of text that a part of texts shall have before it is packed. */
const PART_BYTES = 4200;

/** The texts of some sections that follow each other; before the first section of each page stands what is stored of the page. */
export interface TextGroup {
  sectionCount: number;
  texts: Uint8Array[];
}

/** Groups the texts of all sections into parts. */
export function* groupTexts(subset: IndexSubset): Iterable<TextGroup> {
  let group: TextGroup = { sectionCount: 0, texts: [] };
  let bytes = 0;
  let section = 0;
  for (let page = 0; page < subset.pages.length; page++) {
    const stored = encodeUtf8(JSON.stringify(subset.stored(page)));
    for (let left = subset.sectionsOf(page), isFirst = true; left > 0; left--, section++, isFirst = false) {
      const text = encodeUtf8(subset.data.sectionText(subset.sections[section] as number));
      if (group.sectionCount > 0 && bytes + text.length > PART_BYTES * 1.25) {
        yield group;
        group = { sectionCount: 0, texts: [] };
        bytes = 0;
      }
      if (isFirst || group.sectionCount === 0) group.texts.push(stored);
      group.texts.push(text);
      group.sectionCount++;
      bytes += text.length;
    }
  }
  if (group.sectionCount > 0) yield group;
}
