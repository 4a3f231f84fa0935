/** Programs that read documentation ask for Markdown; browsers never do, and what takes anything gets the HTML. */
export function wantsMarkdown(accept: string | undefined): boolean {
  return accept !== undefined && /\btext\/(?:markdown|x-markdown)\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}
