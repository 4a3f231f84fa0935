import type { Diagnostic } from '../../diagnostics.ts';
import { escapeHtml } from '../../html.ts';
import { didYouMean } from '../../nearest-name.ts';
import type { IconLibrary, IconOptions, IconSource } from './page-renderer.ts';

/**
 * Returns an icon's name and style in any spelling: `rocket`, `fa-rocket`, `fa-solid fa-rocket`.
 */
export function readIconName(text: string): { name: string; type?: string } {
  const words = text.trim().split(/\s+/);
  let type: string | undefined;
  let name = '';
  for (const word of words) {
    const style =
      /^fa-(solid|regular|light|thin|duotone|brands|sharp-solid)$/i.exec(word)?.[1] ??
      SHORT_STYLES.get(word);
    if (style) type = style.toLowerCase();
    else if (!LOOKS.test(word))
      name = word.replace(/^fa-/i, '').replace(/^(?:lucide|tabler)[-:]/, '');
  }
  return type === undefined ? { name } : { name, type };
}

/** Classes for the size or animation of an icon. */
const LOOKS =
  /^fa-(?:sharp|sharp-duotone|fw|xs|sm|lg|xl|2xl|\d{1,2}x|spin|pulse|beat|bounce|fade|shake|flip|rotate-\d{1,3})$/i;

const SHORT_STYLES = new Map([
  ['fas', 'solid'],
  ['far', 'regular'],
  ['fal', 'light'],
  ['fat', 'thin'],
  ['fad', 'duotone'],
  ['fab', 'brands'],
]);

/** Returns whether the text is the address of an image rather than a name. */
export function isIconAddress(text: string): boolean {
  return (
    /^(?:\.{0,2}\/|https?:|data:)/.test(text) ||
    /\.(?:svg|png|jpe?g|webp|gif|avif|ico)$/i.test(text)
  );
}

/** Returns whether the text is an emoji. */
export function isEmoji(text: string): boolean {
  return text.length <= 16 && /^\P{ASCII}/u.test(text);
}

/**
 * Returns the common attributes of icons, as text with a leading space.
 * @param css more declarations
 */
export function iconAttributes({ className, color, sizePx }: IconOptions, css = ''): string {
  const classes = className ? `d-icon ${className}` : 'd-icon';
  const size = sizePx !== undefined && sizePx > 0 && sizePx <= 1024 ? String(sizePx) : '1em';
  const isColor = color !== undefined && /^[#\w(),.%/ -]+$/.test(color);
  const styles = [css, isColor ? `color: ${color}` : ''].filter((part) => part !== '').join('; ');
  const style = styles === '' ? '' : ` style="${escapeHtml(styles)}"`;
  return ` class="${escapeHtml(classes)}" width="${size}" height="${size}"${style} aria-hidden="true"`;
}

/** Returns a library icon as inline SVG; undefined if the library has none of that name. */
export function drawIcon(
  text: string,
  library: IconLibrary,
  icons: IconSource,
  options: IconOptions,
): string | undefined {
  const { name, type } = readIconName(text);
  const drawing = name === '' ? undefined : icons.find(name, library, options.type ?? type);
  if (!drawing) return undefined;
  const box = `viewBox="0 0 ${drawing.width} ${drawing.height}"`;
  if (!options.className) return `<svg ${box}${iconAttributes(options)}>${drawing.body}</svg>`;
  // Styles written for the hosted service color an icon, which is a mask there, with
  // `background-color`.
  const mask = encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" ${box}>${drawing.body}</svg>`,
  );
  const masked = { ...options, className: `d-mask ${options.className}` };
  return `<svg ${box}${iconAttributes(masked, `--d-icon: url("data:image/svg+xml,${mask}")`)}></svg>`;
}

/** Returns the warning for a name that no icon library has. */
export function unknownIcon(
  name: string,
  library: IconLibrary,
  file: string,
  icons: IconSource,
): Diagnostic {
  return {
    severity: 'warning',
    code: 'unknown-icon',
    message: `There is no icon "${name}" in ${library}.`,
    remedy: didYouMean(
      icons.nearest?.(name, library),
      'Use a name from the icon library, or the path of an image.',
    ),
    file,
  };
}
