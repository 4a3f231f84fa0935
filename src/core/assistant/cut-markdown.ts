/** Cuts at the end of a line, and closes a code block that the cut would leave open. */
export function cutMarkdown(markdown: string, longest: number): string {
  if (markdown.length <= longest) return markdown;
  const lineEnd = markdown.lastIndexOf('\n', longest);
  const cut = markdown.slice(0, lineEnd > longest / 2 ? lineEnd : longest);
  const fences = cut.match(/^[ \t]*(?:```|~~~)/gm) ?? [];
  return fences.length % 2 === 1 ? `${cut}\n${(fences.at(-1) as string).trim()}\n…` : `${cut}\n…`;
}
