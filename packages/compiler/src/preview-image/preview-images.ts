import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { BuiltPage, FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import { withoutInlineMarks } from '@docent/format/content/nodes/inline-runs.ts';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import {
  asSurface,
  type Color,
  formatColor,
  mixColors,
  parseColor,
  readableOn,
  textOn,
} from '@docent/theme/colors/color.ts';
import { fileKey } from '../files/file-sink.ts';
import { requireInstalled } from '../process/optional-packages.ts';
import { moduleUrl } from '../process/own-modules.ts';
import { WorkerHost } from '../process/worker-host.ts';

/** The library and the fonts are unloaded after this long without a request. */
const IDLE_MS = 30_000;
/** Maximum pending requests; further ones fail at once, since a crawler comes back. */
const MAX_WAITING = 64;

/** Link preview images: drawn on first request, then stored. */
export interface PreviewImages {
  /**
   * Returns the image of a card: a PNG, or a small WebP.
   * @throws Error if too many are pending, or drawing failed
   */
  get(card: PreviewCard, size?: CardSize): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The part of a blob store that previews need. */
export interface PreviewStore {
  read(key: string): Promise<Uint8Array | undefined>;
  put(
    key: string,
    bytes: Uint8Array,
    options: { contentType: string; sizeBytes: number },
  ): Promise<unknown>;
}

/** @param blobs stores the images, under a name derived from everything drawn */
export function createPreviewImages(blobs: PreviewStore): PreviewImages {
  const making = new Map<string, Promise<Uint8Array>>();
  const thread = new WorkerHost<PreviewCalls>({
    start: () => new Worker(moduleUrl('./preview-thread.ts', import.meta.url), { env: {} }),
    idleMs: IDLE_MS,
  });

  async function make(key: string, card: PreviewCard, size: CardSize): Promise<Uint8Array> {
    const kept = await blobs.read(key);
    if (kept) return kept;
    requireInstalled('Drawing previews', 'canvaskit-wasm');
    const pictures = await picturesOf(blobs, card);
    const image = await thread
      .run(({ paint }) => paint(card, pictures, size))
      .catch((error: unknown) => {
        throw new Error(`The preview could not be drawn: ${errorMessage(error)}`);
      });
    await blobs.put(key, image, {
      contentType: size === 'full' ? 'image/png' : 'image/webp',
      sizeBytes: image.byteLength,
    });
    return image;
  }

  return {
    get(card, size = 'full') {
      const hash = cardHash(card);
      const key = `previews/${hash.slice(0, 2)}/${hash}.${size === 'full' ? 'png' : 'webp'}`;
      const pendingImage = making.get(key);
      if (pendingImage) return pendingImage;
      if (making.size >= MAX_WAITING)
        return Promise.reject(new Error('Too many previews are being drawn.'));
      const imagePromise = make(key, card, size).finally(() => making.delete(key));
      making.set(key, imagePromise);
      return imagePromise;
    },
    close: () => thread.end(),
  };
}

async function picturesOf(
  blobs: PreviewStore,
  { logo, backdrop }: PreviewCard,
): Promise<CardPictures> {
  const read = async (sha256: string | undefined) =>
    sha256 ? await blobs.read(fileKey({ sha256 })) : undefined;
  return { logo: await read(logo), backdrop: await read(backdrop) };
}

/** What `preview-thread.ts` offers. */
export interface PreviewCalls {
  paint(card: PreviewCard, pictures: CardPictures, size: CardSize): Uint8Array;
}

/** The bytes of the images that a card names. */
export interface CardPictures {
  logo?: Uint8Array;
  backdrop?: Uint8Array;
}

/**
 * The size that other sites and apps expect (a PNG of 1200 × 630), or that of a list (a WebP of 800
 * × 420).
 */
export type CardSize = 'full' | 'small';

/**
 * Everything drawn on the link preview image of a page (1200 × 630). Its JSON identifies the image.
 */
export interface PreviewCard {
  /** Incremented when images of the same card look different. */
  design: 1;
  title: string;
  description: string;
  siteName: string;
  /** Small text above the title: the method of an API page, a tag. */
  label: string;
  isRightToLeft: boolean;
  /** Hex colors. */
  colors: {
    background: string;
    glow: string;
    text: string;
    muted: string;
    accent: string;
    onAccent: string;
    link: string;
  };
  /** Images of the repository, by hash; passed to the painter together with the card. */
  logo?: string;
  backdrop?: string;
}

const RASTER = /^image\/(?:png|jpeg|webp|gif|bmp)$/;
/** Larger images cost more to decode than a preview is worth. */
const MAX_PICTURE_BYTES = 4 * 1024 * 1024;
const RIGHT_TO_LEFT = /^[\s\p{P}\p{N}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const MAX_TITLE_LENGTH = 160;
const MAX_DESCRIPTION_LENGTH = 260;

/** Returns the card of a page. The same page of the same site always has the same card. */
export function previewCard(
  { config, files }: Pick<SiteBuild, 'config' | 'files'>,
  page: BuiltPage,
): PreviewCard {
  const appearance =
    config.thumbnails?.appearance ?? (config.appearance.default === 'dark' ? 'dark' : 'light');
  const logo = picture(files, config.logo?.[appearance]);
  const backdrop = picture(files, config.thumbnails?.background);
  return {
    design: 1,
    title: shortened(page.metatags?.['og:title'] ?? page.title, MAX_TITLE_LENGTH),
    description: shortened(
      page.metatags?.['og:description'] ?? withoutInlineMarks(page.description ?? ''),
      MAX_DESCRIPTION_LENGTH,
    ),
    siteName: shortened(config.name, 60),
    label: shortened(page.method ?? page.tag ?? '', 30),
    isRightToLeft: RIGHT_TO_LEFT.test(page.title),
    colors: colorsOf(config, appearance),
    logo: logo?.sha256,
    backdrop: backdrop?.sha256,
  };
}

/** Identifies the image of a card: a hash of everything drawn. */
export function cardHash(card: PreviewCard): string {
  return createHash('sha256').update(JSON.stringify(card)).digest('hex').slice(0, 32);
}

function picture(files: SiteBuild['files'], path: string | undefined): FileEntry | undefined {
  const name = path?.replace(/^(?:\.?\/)+/, '') ?? '';
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  return file && RASTER.test(file.type) && file.sizeBytes <= MAX_PICTURE_BYTES ? file : undefined;
}

function colorsOf(
  { colors, background }: SiteConfig,
  appearance: 'light' | 'dark',
): PreviewCard['colors'] {
  const isDark = appearance === 'dark';
  const base =
    parseColor(background.color?.[appearance]) ?? (isDark ? hex('#0e0f12') : hex('#ffffff'));
  const text = textOn(base);
  const accent = asSurface(parseColor(isDark ? colors.light : colors.primary) ?? hex('#3b5bdb'));
  return {
    background: formatColor(base),
    glow: formatColor(mixColors(base, accent, isDark ? 0.34 : 0.2)),
    text: formatColor(mixColors(text, base, 0.06)),
    muted: formatColor(mixColors(text, base, 0.38)),
    accent: formatColor(accent),
    onAccent: formatColor(textOn(accent)),
    link: formatColor(readableOn(accent, [base])),
  };
}

function hex(text: string): Color {
  return parseColor(text) as Color;
}

function shortened(text: string, longest: number): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length <= longest
    ? line
    : `${line
        .slice(0, longest - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
