import type { FontConfig } from '../../core/docs-json/site-config.ts';
import { fallbackFamily } from '../../core/site-files/font-fallback.ts';
import { type Frame, fileAt, isExternal } from '../frame.ts';

/** Names may stand in a style sheet; whatever could end a string there has no place in one. */
function quoted(family: string): string {
  return `"${family.replace(/["\\\n<>{};]/g, '')}"`;
}

/** The face of a font file of the repository. One elsewhere is not loaded: pages ask no other origin. */
function fontFace(frame: Frame, { family, source, format, weight }: FontConfig): string {
  if (source === undefined || isExternal(source)) return '';
  const kind = format ?? (/\.woff$/i.test(source) ? 'woff' : 'woff2');
  const address = fileAt(frame, source)
    .replaceAll('&amp;', '&')
    .replace(/["\\\n<]/g, encodeURIComponent);
  // A file without a weight is taken for a variable one, as most are.
  const range = weight ?? '100 900';
  return `@font-face{font-family:${quoted(family)};src:url("${address}") format("${kind}");font-weight:${range};font-display:swap}`;
}

/** Whether the site brings the face of all its text along, so that the theme's is not needed. */
export function hasOwnBodyFace(frame: Frame): boolean {
  const body = frame.site.config.fonts?.body;
  return body !== undefined && fontFace(frame, body) !== '';
}

/**
 * CSS of the fonts that docs.json names (`fonts`): their faces, and which text they are for. Behind a face that is here stand
 * those of the reader's system; for one that is not, the theme's typeface.
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
