const MAX_DEPTH = 300;
const MAX_OPERATORS = 60;

/**
 * Returns whether code nests so deeply that the bundler, which is native and recursive, could run out of stack. Counts brackets;
 * those in strings count too, which is harmless.
 */
export function isTooDeep(code: string): boolean {
  let depth = 0;
  let operators = 0;
  for (let at = 0; at < code.length; at++) {
    switch (code[at]) {
      case '(':
      case '[':
      case '{':
        operators = 0;
        if (++depth > MAX_DEPTH) return true;
        break;
      case ')':
      case ']':
      case '}':
        operators = 0;
        if (depth > 0) depth--;
        break;
      case '!':
      case '~':
      case '+':
      case '-':
        if (++operators > MAX_OPERATORS && !isRule(code, at)) return true;
        break;
      case ' ':
      case '\n':
      case '\t':
      case '\r':
        break;
      default:
        operators = 0;
    }
  }
  return tagDepth(code) > MAX_DEPTH;
}

/** A line of dashes in a comment. */
function isRule(code: string, at: number): boolean {
  const line = code.slice(code.lastIndexOf('\n', at) + 1, at);
  return /^\s*(?:\/\/|\/\*|\*|\{\/\*)/.test(line);
}

function tagDepth(code: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [, close, selfClosing] of code.matchAll(/<(\/?)[a-zA-Z>][^<>]{0,2000}?(\/?)>|<(\/?)>/g)) {
    if (close) depth = Math.max(0, depth - 1);
    else if (!selfClosing) deepest = Math.max(deepest, ++depth);
  }
  return deepest;
}
