import { escapeHtml, type Html, trustedHtml } from '../core/html.ts';
import { formatColor, parseColor } from './colors/color.ts';
import { asSurface, textOn } from './colors/readable.ts';
import { type Frame, fileAt } from './frame.ts';

/** Returns the icon of a site without its own: the first letter of the site's name on its color. */
function ownIcon(frame: Frame): string {
  const { name, colors } = frame.site.config;
  const color = asSurface(parseColor(colors.primary) ?? { red: 59, green: 91, blue: 219 });
  const letter = escapeHtml([...name.trim()][0]?.toUpperCase() ?? '·');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${formatColor(color)}"/><text x="16" y="22.5" font-family="Arial,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="${formatColor(textOn(color))}">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Returns the head links for the site's icon, in a light and a dark variant if it has both. */
export function faviconLinks(frame: Frame): Html {
  const { favicon } = frame.site.config;
  if (!favicon?.light) return trustedHtml(`<link rel="icon" href="${ownIcon(frame)}">`);
  if (favicon.light === favicon.dark || !favicon.dark)
    return trustedHtml(iconLink(frame, favicon.light) + touchIcon(frame, favicon.light));
  return trustedHtml(
    iconLink(frame, favicon.light, 'light') + iconLink(frame, favicon.dark, 'dark') + touchIcon(frame, favicon.light),
  );
}

function iconLink(frame: Frame, path: string, scheme?: 'light' | 'dark'): string {
  // Without a size, browsers prefer an old `.ico` to an SVG that fits every size.
  const kind = /\.svg(?:[?#]|$)/i.test(path) ? ' type="image/svg+xml" sizes="any"' : '';
  const media = scheme === undefined ? '' : ` media="(prefers-color-scheme: ${scheme})"`;
  return `<link rel="icon" href="${fileAt(frame, path)}"${kind}${media}>`;
}

/** The icon for phones' home screens, which do not support SVG. */
function touchIcon(frame: Frame, path: string): string {
  return /\.png(?:[?#]|$)/i.test(path) ? `<link rel="apple-touch-icon" href="${fileAt(frame, path)}">` : '';
}
