/** A run of a short text with inline Markdown. */
export interface InlineRun {
  /** In a link, strong or emphasized text, may contain further marks. */
  text: string;
  mark?: 'strong' | 'em' | 'code';
  target?: string;
}

const INLINE =
  /\[([^[\]\n]+)\]\(([^)\s]+)\)|\*\*([^*\n]+)\*\*|`([^`\n]+)`|(?<![\w*])[*_](?!\s)([^*_\n]+)(?<!\s)[*_](?![\w*])/g;

/**
 * Reads the Markdown of texts of the configuration and the frontmatter: links, strong, emphasis,
 * code. Everything else is text.
 */
export function inlineRuns(text: string): InlineRun[] {
  const runs: InlineRun[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, label, target, strong, code, emphasis] = match;
    if (match.index > from) runs.push({ text: text.slice(from, match.index) });
    if (label !== undefined && target !== undefined) runs.push({ text: label, target });
    else if (strong !== undefined) runs.push({ text: strong, mark: 'strong' });
    else if (code !== undefined) runs.push({ text: code, mark: 'code' });
    else runs.push({ text: emphasis ?? '', mark: 'em' });
    from = match.index + whole.length;
  }
  if (from < text.length) runs.push({ text: text.slice(from) });
  return runs;
}

/** The text without its marks and addresses, for search engines, cards and feeds. */
export function withoutInlineMarks(text: string): string {
  return inlineRuns(text)
    .map((run) =>
      run.mark === 'code' || run.text === text ? run.text : withoutInlineMarks(run.text),
    )
    .join('');
}
