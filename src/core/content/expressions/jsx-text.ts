/**
 * The text that JSX makes of the characters between tags: lines are trimmed and joined by one space, lines of
 * white space alone fall away.
 */
export function jsxText(raw: string): string {
  if (!raw.includes('\n')) return raw;
  const lines = raw.split(/\r?\n/);
  const kept: string[] = [];
  lines.forEach((line, index) => {
    let text = line.replaceAll('\t', ' ');
    if (index > 0) text = text.trimStart();
    if (index < lines.length - 1) text = text.trimEnd();
    if (text !== '') kept.push(text);
  });
  return kept.join(' ');
}
