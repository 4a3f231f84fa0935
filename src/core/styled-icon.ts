/** The styles of icons that have names of their own; `solid` is what a name without a style means. */
const STYLES = new Set(['regular', 'light', 'thin', 'sharp-solid', 'duotone', 'brands']);

/** `regular:house` for the icon `house` in the style `regular`; the name alone where there is no such style. */
export function styledIcon(name: string, style: string | undefined): string {
  return style !== undefined && STYLES.has(style) && /^[\w-]+$/.test(name) ? `${style}:${name}` : name;
}

/** The parts of what `styledIcon` made. */
export function splitIcon(icon: string): { name: string; style?: string } {
  const at = icon.indexOf(':');
  const style = at > 0 ? icon.slice(0, at) : '';
  return STYLES.has(style) ? { name: icon.slice(at + 1), style } : { name: icon };
}
