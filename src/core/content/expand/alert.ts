import type { ComponentNode, ContentNode, ElementNode } from './content-node.ts';

/** The callout for each kind of alert. */
const CALLOUTS: Readonly<Record<string, string>> = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
};

const MARKER = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

/**
 * Returns the callout of a block quote whose first line is `[!NOTE]`, as GitHub and most editors show it; undefined for any other.
 * @see https://docs.github.com/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts
 */
export function alertOf({ children: [first, ...rest], line }: ElementNode): ComponentNode | undefined {
  if (first?.type !== 'element' || first.tag !== 'p') return undefined;
  const [start, next, ...others] = first.children;
  const marker = start?.type === 'text' ? MARKER.exec(start.value) : null;
  if (start?.type !== 'text' || !marker) return undefined;
  const text = start.value.slice(marker[0].length);
  const isBreak = next?.type === 'element' && next.tag === 'br';
  // The marker must be alone on its line.
  if (next && !isBreak && !marker[0].endsWith('\n')) return undefined;
  const content: ContentNode[] = [
    ...(text === '' ? [] : [{ type: 'text', value: text } as const]),
    ...(next && !(isBreak && text === '') ? [next] : []),
    ...others,
  ];
  return {
    type: 'component',
    name: CALLOUTS[(marker[1] as string).toLowerCase()] as string,
    props: {},
    children: content.length === 0 ? rest : [{ ...first, children: content }, ...rest],
    ...(line === undefined ? {} : { line }),
  };
}
