import { cardHash, type PreviewImages, previewCard } from '../../compiler/preview-image/preview-images.ts';
import type { BuiltPage, SiteBuild } from '../../core/site-build.ts';

const FOLDER = '/_docent/og';
const VERSION_LENGTH = 12;

/** Returns the site path of a page's link preview image; a part of its hash in the query lets it be cached forever. */
export function previewPath(build: SiteBuild, page: BuiltPage): string {
  const version = cardHash(previewCard(build, page)).slice(0, VERSION_LENGTH);
  return `${FOLDER}${encodeURI(page.href === '/' ? '/index' : page.href)}.png?v=${version}`;
}

export interface PreviewAnswer {
  type: string;
  version: string;
  immutable: boolean;
  read: () => Promise<Uint8Array>;
}

/**
 * Returns the image at a path of a site: a PNG, or the same drawn smaller as a WebP.
 * @param path decoded path inside the site
 * @param query unparsed, with `?`, or empty
 */
export function previewAt(
  build: SiteBuild,
  pages: ReadonlyMap<string, BuiltPage>,
  previews: PreviewImages,
  request: { path: string; query: string },
): PreviewAnswer | undefined {
  const { path, query } = request;
  const [, href, extension] = /^(.*)\.(png|webp)$/.exec(path.startsWith(`${FOLDER}/`) ? path.slice(FOLDER.length) : '') ?? [];
  if (href === undefined) return undefined;
  const page = pages.get(href === '/index' && !pages.has('/index') ? '/' : href);
  if (!page || page.noindex) return undefined;
  const card = previewCard(build, page);
  const hash = cardHash(card);
  return {
    type: `image/${extension}`,
    version: `${hash.slice(0, 16)}-${extension}`,
    immutable: query === `?v=${hash.slice(0, VERSION_LENGTH)}`,
    read: () => previews.get(card, extension === 'png' ? 'full' : 'small'),
  };
}
