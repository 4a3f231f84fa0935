/** An inline run of an answer. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'emphasis' | 'deleted'; children: Inline[] }
  | { kind: 'link'; address: string; children: Inline[] };

export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'list'; start: number | undefined; items: Block[][] }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'table'; align: ('start' | 'center' | 'end')[]; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'suggestions'; pages: Suggestion[] }
  | { kind: 'rule' };

export interface Suggestion {
  title: string;
  address: string;
}
