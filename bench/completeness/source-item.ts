/** Kinds of source content that a reader must find on the page. */
export const itemKinds = ['heading', 'code', 'link', 'image', 'list item', 'table cell', 'title', 'text', 'operation'] as const;

export type ItemKind = (typeof itemKinds)[number];

/** One item in the source of a page. */
export interface SourceItem {
  kind: ItemKind;
  /** Its text, cut at expressions and components, whose text is unknown. */
  pieces: string[];
  /** URL of a link or an image. */
  target?: string;
  file: string;
  line: number;
}

/** Returns letters and digits only, which are independent of the markup. */
export function bareText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
    .toLowerCase();
}
