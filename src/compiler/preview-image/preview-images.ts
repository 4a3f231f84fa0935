import { Worker } from 'node:worker_threads';
import type { FileEntry } from '../../core/site-build.ts';
import { fileKey } from '../bundle/file-sink.ts';
import type { CardPictures, CardSize } from './draw-card.ts';
import { cardHash, type PreviewCard } from './preview-card.ts';
import type { PaintAnswer, PaintRequest } from './preview-thread.ts';

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
  const thread = new PaintThread();

  async function make(key: string, card: PreviewCard, size: CardSize): Promise<Uint8Array> {
    const kept = await blobs.read(key);
    if (kept) return kept;
    const image = await thread.paint(card, await picturesOf(blobs, card), size);
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

/** One thread for all; it starts on demand and ends when idle. */
class PaintThread {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 0;
  readonly #waiting = new Map<number, { resolve: (image: Uint8Array) => void; reject: (error: Error) => void }>();

  paint(card: PreviewCard, pictures: CardPictures, size: CardSize): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const id = this.#nextId++;
    this.#waiting.set(id, { resolve, reject });
    clearTimeout(this.#idle);
    this.#running().postMessage({ id, card, pictures, size } satisfies PaintRequest);
    return promise;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
    this.#failAll(new Error('The server is stopping.'));
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./preview-thread.ts', import.meta.url), { env: {} });
    // Previews must not keep the process alive.
    worker.unref();
    worker.on('message', (answer: PaintAnswer) => this.#settle(answer));
    worker.on('error', (error) => this.#lose(worker, error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => this.#lose(worker, new Error('The thread that draws previews exited.')));
    this.#worker = worker;
    return worker;
  }

  #settle(answer: PaintAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('image' in answer) waiting?.resolve(answer.image);
    else waiting?.reject(new Error(`The preview could not be drawn: ${answer.fault}`));
    if (this.#waiting.size > 0) return;
    this.#idle = setTimeout(() => void this.close(), IDLE_MS);
    this.#idle.unref();
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#failAll(error);
  }

  #failAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
