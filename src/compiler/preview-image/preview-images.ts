import type { FileEntry } from '../../core/site-build.ts';
import { RequestThread } from '../../request-thread.ts';
import { fileKey } from '../bundle/file-sink.ts';
import { cardHash, type PreviewCard } from './preview-card.ts';
import type { CardPictures, CardSize, PaintRequest } from './preview-thread.ts';

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
  put(key: string, bytes: Uint8Array, options: { contentType: string; sizeBytes: number }): Promise<unknown>;
}

/** @param blobs stores the images, under a name derived from everything drawn */
export function createPreviewImages(blobs: PreviewStore): PreviewImages {
  const making = new Map<string, Promise<Uint8Array>>();
  const thread = new RequestThread<PaintRequest, Uint8Array>({
    module: new URL('./preview-thread.ts', import.meta.url),
    idleMs: IDLE_MS,
    fault: (_kind, reason) => new Error(`The preview could not be drawn: ${reason}`),
  });

  async function make(key: string, card: PreviewCard, size: CardSize): Promise<Uint8Array> {
    const kept = await blobs.read(key);
    if (kept) return kept;
    const image = await thread.ask({ card, pictures: await picturesOf(blobs, card), size });
    await blobs.put(key, image, { contentType: size === 'full' ? 'image/png' : 'image/webp', sizeBytes: image.byteLength });
    return image;
  }

  return {
    get(card, size = 'full') {
      const hash = cardHash(card);
      const key = `previews/${hash.slice(0, 2)}/${hash}.${size === 'full' ? 'png' : 'webp'}`;
      const known = making.get(key);
      if (known) return known;
      if (making.size >= MAX_WAITING) return Promise.reject(new Error('Too many previews are being drawn.'));
      const made = make(key, card, size).finally(() => making.delete(key));
      making.set(key, made);
      return made;
    },
    close: () => thread.close(),
  };
}

async function picturesOf(blobs: PreviewStore, { logo, backdrop }: PreviewCard): Promise<CardPictures> {
  const read = async (sha256: FileEntry['sha256'] | undefined) => (sha256 ? await blobs.read(fileKey({ sha256 })) : undefined);
  const [logoBytes, backdropBytes] = await Promise.all([read(logo), read(backdrop)]);
  return { ...(logoBytes ? { logo: logoBytes } : {}), ...(backdropBytes ? { backdrop: backdropBytes } : {}) };
}
