/** Returns text on one line of at most `longest` characters, cut at a word if it is longer. */
export function oneLine(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`;
}

/** Returns a Markdown link; brackets and blanks in it are escaped. */
export function markdownLink(title: string, url: string): string {
  const text = oneLine(title, 300).replace(/[[\]\\]/g, '\\$&');
  const address = url.replace(/[\s()<>]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
  return `[${text}](${address})`;
}
