/** Programs that read documentation ask for Markdown; browsers never do, and what takes anything gets the HTML. */
export function wantsMarkdown(accept: string | undefined): boolean {
  return accept !== undefined && /\btext\/(?:markdown|x-markdown)\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}

/**
 * The `Content-Security-Policy` of a body of that type, where it needs one: an SVG of the repository that is opened on its
 * own is a document, and must not run scripts on this origin.
 */
export function documentPolicy(type: string): string | undefined {
  return type.startsWith('image/svg') ? "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox" : undefined;
}
