/** Returns the source of a regular expression that matches exactly this text. */
export function literalPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/**
 * Returns a function that makes the atomic groups of one regular expression: what such a group
 * matched first stays, so the expression never tries another way through it.
 */
export function atomicGroups(): (inside: string) => string {
  let count = 0;
  return (inside) => {
    const name = `atom${++count}`;
    return `(?=(?<${name}>${inside}))\\k<${name}>`;
  };
}
