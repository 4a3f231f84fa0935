const MAX_CHARACTERS = 300;

/**
 * Returns the first paragraph of a text as a page description, which is plain text. Undefined if it would lose something: links,
 * HTML, a list.
 */
export function summaryOf(markdown: string | undefined): string | undefined {
  const paragraph = paragraphsOf(markdown ?? '')[0]?.trim() ?? '';
  if (paragraph === '' || paragraph.length > MAX_CHARACTERS) return undefined;
  if (/[<|]|\]\(|https?:|^(?:[-*+#>]|\d+[.)]|```|~~~)/.test(paragraph)) return undefined;
  return paragraph.replace(/[`*]+/g, '').replace(/\s+/g, ' ').trim();
}

/** Returns the text without its first paragraph if the page already shows that as its description. */
export function withoutSummary(markdown: string, description: string | undefined): string {
  if (description === undefined || summaryOf(markdown) !== description) return markdown;
  return paragraphsOf(markdown)[1] ?? '';
}

/** Splits a text after the first paragraph. */
function paragraphsOf(markdown: string): [string, string?] {
  const text = markdown.trim();
  const end = /\n[ \t]*\r?\n/.exec(text);
  return end ? [text.slice(0, end.index), text.slice(end.index).trim()] : [text];
}
