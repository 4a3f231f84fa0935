/** Returns a style sheet without its comments; an unclosed comment stays. Linear. */
export function withoutCssComments(css: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const open = css.indexOf('/*', from);
    const close = open < 0 ? -1 : css.indexOf('*/', open + 2);
    if (close < 0) return kept + css.slice(from);
    kept += css.slice(from, open);
    from = close + 2;
  }
}
