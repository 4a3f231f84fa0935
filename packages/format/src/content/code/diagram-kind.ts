import { didYouMean, nearestName } from '../../nearest-name.ts';

/**
 * The words that begin a Mermaid diagram. A newer word may have one of them as its start, or end in
 * `-beta`.
 */
const KINDS =
  'architecture block C4Component C4Container C4Context C4Deployment C4Dynamic classDiagram erDiagram eventmodeling flowchart gantt gitGraph graph info ishikawa journey kanban mindmap packet pie quadrantChart requirement requirementDiagram sankey sequenceDiagram stateDiagram timeline treemap xychart zenuml'.split(
    ' ',
  );

/**
 * Returns what is wrong with the first word of a Mermaid diagram, which says what kind of diagram
 * it is; undefined if it is known. Whether the rest can be drawn is known only in browsers: Mermaid
 * needs one.
 */
export function diagramFault(source: string): { message: string; remedy: string } | undefined {
  const text = source
    .replace(/^\s*---\n[\s\S]*?\n---\n/, '')
    .replace(/%%\{[\s\S]*?\}%%|^[ \t]*%%.*$/gm, '');
  const word = /^[\w-]+/.exec(text.trimStart())?.[0] ?? '';
  if (/-beta$/.test(word) || KINDS.some((kind) => word.startsWith(kind))) return undefined;
  const message =
    word === ''
      ? 'The Mermaid diagram has no kind.'
      : `There is no Mermaid diagram of the kind "${word.slice(0, 40)}".`;
  return {
    message,
    remedy: didYouMean(
      nearestName(word, KINDS),
      'Begin it with its kind, for example "flowchart LR".',
    ),
  };
}
