import type { FontConfig } from '../../core/docs-json/site-config.ts';
import { fallbackFamily } from '../../core/site-files/font-fallback.ts';
import { type Frame, fileAt, isExternal } from '../frame.ts';

/** Names safe in a style sheet: without characters that could end a string. */
function quoted(family: string): string {
  return `"${family.replace(/["\\\n<>{};]/g, '')}"`;
}

/** The face of a font file in the repository. External ones are not loaded: pages send no requests to other origins. */
function fontFace(frame: Frame, { family, source, format, weight }: FontConfig): string {
  if (source === undefined || isExternal(source)) return '';
  const kind = format ?? (/\.woff$/i.test(source) ? 'woff' : 'woff2');
  const address = fileAt(frame, source)
    .replaceAll('&amp;', '&')
    .replace(/["\\\n<]/g, encodeURIComponent);
  // A file without a weight is treated as variable, like most are.
  const range = weight ?? '100 900';
  return `@font-face{font-family:${quoted(family)};src:url("${address}") format("${kind}");font-weight:${range};font-display:swap}`;
}

/** Returns whether the site provides the face of all its text, so that the theme's is not needed. */
export function hasOwnBodyFace(frame: Frame): boolean {
  const body = frame.site.config.fonts?.body;
  return body !== undefined && fontFace(frame, body) !== '';
}

/**
 * Returns CSS for the fonts in docs.json (`fonts`): their faces, and which text uses them. Available faces fall back to those of
 * the reader's system; missing ones to the theme's typeface.
 */
export function fontStyle(frame: Frame): string {
  const { heading, body } = frame.site.config.fonts ?? {};
  const faces = new Set<string>();
  const rules = [['body', body] as const, ['heading', heading] as const].map(([name, font]) => {
    if (!font) return '';
    const face = fontFace(frame, font);
    faces.add(face);
    return `--d-font-${name}:${quoted(font.family)},${face === '' ? fallbackFamily(font.family) : 'var(--d-font-system)'};`;
  });
  return [...faces].join('') + (faces.size === 0 ? '' : `:root{${rules.join('')}}`);
}
