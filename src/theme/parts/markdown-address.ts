import { escapeHtml } from '../../core/html.ts';
import type { Frame } from '../frame.ts';

/** Returns the path of the page's Markdown version: `/guides/start.md`, `/index.md` for the start page. Not escaped. */
export function markdownPath(frame: Pick<Frame, 'resolve'>, href: string): string {
  return frame.resolve('asset', `${href === '/' ? '/index' : href}.md`);
}

/** The same, escaped for an attribute. */
export function markdownAddress(frame: Pick<Frame, 'resolve'>, href: string): string {
  return escapeHtml(markdownPath(frame, href));
}
