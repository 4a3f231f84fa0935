import type { FontConfig } from '../../core/docs-json/site-config.ts';
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

/** CSS of the fonts that docs.json names (`fonts`): their faces, and which text they are for. The theme's own stand behind them. */
export function fontStyle(frame: Frame): string {
  const { heading, body } = frame.site.config.fonts ?? {};
  const faces = new Set([heading, body].filter((font) => font !== undefined).map((font) => fontFace(frame, font)));
  let rules = '';
  if (body) rules += `--d-font-body:${quoted(body.family)},var(--d-font-system);`;
  if (heading) rules += `--d-font-heading:${quoted(heading.family)},var(--d-font-system);`;
  return [...faces].join('') + (rules === '' ? '' : `:root{${rules}}`);
}
