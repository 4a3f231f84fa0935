import { nodesIn, type SourceNode, type SourceProblem } from '../nodes/source-node.ts';

const OPENING = /(`{3,}|~{3,})/;
const CLOSING = /^[\s>]*(?:`{3,}|~{3,})\s*$/;

/**
 * Finds code fences without a closing line, which make code of everything that follows.
 * @param source the text that the positions of the tree refer to
 */
export function unclosedFences(root: SourceNode, source: string): SourceProblem[] {
  const problems: SourceProblem[] = [];
  let lines: string[] | undefined;
  for (const node of nodesIn(root, ({ tagName }) => tagName !== 'pre')) {
    const { tagName, position } = node;
    if (tagName !== 'pre' || !position) continue;
    lines ??= source.split('\n');
    const fence = OPENING.exec(
      (lines[position.start.line - 1] ?? '').slice(position.start.column - 1),
    );
    const end = lines[position.end.line - 1] ?? '';
    const isOneLine = position.start.line === position.end.line;
    if (fence?.index !== 0 || (!isOneLine && CLOSING.test(end))) continue;
    problems.push({
      severity: 'warning',
      code: 'unclosed-fence',
      message: 'The code block is not closed, so that everything after this line is code.',
      remedy: `Add a line with ${fence[1]} after the code.`,
      line: position.start.line,
      column: position.start.column,
    });
  }
  return problems;
}
