const MAX_INLINE_LENGTH = 4 * 1024;

/**
 * A small SVG as a `data:` URL, for masks in CSS: browsers load none from another file of a site that is opened from disk.
 * Returns undefined for a large one.
 */
export function inlinePicture(svg: string): string | undefined {
  return svg.length <= MAX_INLINE_LENGTH ? `data:image/svg+xml,${encodeURIComponent(svg.toWellFormed())}` : undefined;
}
