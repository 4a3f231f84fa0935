/** What kind of thing the source holds that a reader must find on the page. */
export const itemKinds = ['heading', 'code', 'link', 'image', 'list item', 'table cell', 'title', 'text', 'operation'] as const;

export type ItemKind = (typeof itemKinds)[number];

/** One thing that the source of a page holds. */
export interface SourceItem {
  kind: ItemKind;
  /** Its text, cut where an expression or a component stands, whose text is not known. */
  pieces: string[];
  /** Address of a link or an image. */
  target?: string;
  file: string;
  line: number;
}

/** Letters and digits alone: what stays the same however the text is marked up. */
export function bareText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
    .toLowerCase();
}
