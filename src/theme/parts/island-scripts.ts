import { emptyHtml, type Html, html, trustedHtml } from '../../core/html.ts';
import { type Frame, fileAt } from '../frame.ts';

/** The scripts of the author's components on a page, after their runtime; nothing if it has none. */
export function islandScripts(frame: Frame, paths: readonly string[] | undefined): Html {
  if (!paths || paths.length === 0) return emptyHtml;
  const scripts = paths.map((path) => html`<script src="${trustedHtml(fileAt(frame, path))}" defer></script>`);
  return html`<script src="${frame.site.themeAsset('islands.js', { href: frame.href })}" defer></script>${scripts}`;
}
