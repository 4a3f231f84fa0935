const FENCE = /^([ \t]*)(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n([\s\S]*?)(?:^[ \t]*\2[`~]*[ \t]*$|(?![\s\S]))/gm;

/** Returns the prose of a piece of Markdown, one space between words, and the text of its code blocks. */
export function plainText(markdown: string): { text: string; code: string } {
  const blocks: string[] = [];
  const prose = markdown.replace(FENCE, (_, _indent: string, _fence: string, code: string) => {
    blocks.push(code.trimEnd());
    return '\n';
  });
  const text = prose
    .replace(/!\[([^[\]\n]*)\]\([^()\n]*\)/g, '$1')
    .replace(/\[([^[\]\n]*)\]\([^()\n]*\)/g, '$1')
    .replace(/^[ \t]*(?:[-*+]|\d+[.)]|#{1,6}|>)[ \t]+/gm, '')
    .replace(/^[ \t|:-]+$/gm, '')
    .replace(/\*\*|__|`|(?<=\s)\||\|(?=\s)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return { text, code: blocks.join('\n') };
}
