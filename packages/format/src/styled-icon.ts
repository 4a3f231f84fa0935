/** Icon styles with names of their own; a name without a style means `solid`. */
const STYLES = new Set(['regular', 'light', 'thin', 'sharp-solid', 'duotone', 'brands']);

/**
 * Returns `regular:house` for the icon `house` in the style `regular`; only the name if there is no
 * such style.
 */
export function styledIcon(name: string, style: string | undefined): string {
  return style !== undefined && STYLES.has(style) && /^[\w-]+$/.test(name)
    ? `${style}:${name}`
    : name;
}

/** Splits a result of `styledIcon`. */
export function splitIcon(icon: string): { name: string; style?: string } {
  const at = icon.indexOf(':');
  const style = at > 0 ? icon.slice(0, at) : '';
  return STYLES.has(style) ? { name: icon.slice(at + 1), style } : { name: icon };
}
