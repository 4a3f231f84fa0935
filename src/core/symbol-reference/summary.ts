const MAX_CHARACTERS = 300;

/**
 * The first paragraph of a text as the description of a page, which is plain text. Undefined where it would lose something
 * there: links, HTML, a list.
 */
export function summaryOf(markdown: string | undefined): string | undefined {
  const paragraph = paragraphsOf(markdown ?? '')[0]?.trim() ?? '';
  if (paragraph === '' || paragraph.length > MAX_CHARACTERS) return undefined;
  if (/[<|]|\]\(|https?:|^(?:[-*+#>]|\d+[.)]|```|~~~)/.test(paragraph)) return undefined;
  return paragraph.replace(/[`*]+/g, '').replace(/\s+/g, ' ').trim();
}

/** The text without its first paragraph, where that is what the page shows as its description already. */
export function withoutSummary(markdown: string, description: string | undefined): string {
  if (description === undefined || summaryOf(markdown) !== description) return markdown;
  return paragraphsOf(markdown)[1] ?? '';
}

/** The first paragraph and the rest. */
function paragraphsOf(markdown: string): [string, string?] {
  const text = markdown.trim();
  const end = /\n[ \t]*\r?\n/.exec(text);
  return end ? [text.slice(0, end.index), text.slice(end.index).trim()] : [text];
}
