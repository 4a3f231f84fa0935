import { parentPort } from 'node:worker_threads';
import { errorMessage } from '../../core/error-message.ts';
import { type CardPainter, type CardPictures, type CardSize, createCardPainter } from './draw-card.ts';
import type { PreviewCard } from './preview-card.ts';

export interface PaintRequest {
  id: number;
  card: PreviewCard;
  pictures: CardPictures;
  size: CardSize;
}

export type PaintAnswer = { id: number; image: Uint8Array } | { id: number; fault: string };

// The thread that draws previews: one request after another, each answered with its number.
const port = parentPort;
if (!port) throw new Error('preview-thread.ts runs only as a worker thread');
let painter: Promise<CardPainter> | undefined;

port.on('message', async ({ id, card, pictures, size }: PaintRequest) => {
  try {
    painter ??= createCardPainter();
    const image = (await painter).paint(card, pictures, size);
    port.postMessage({ id, image } satisfies PaintAnswer);
  } catch (error) {
    port.postMessage({ id, fault: errorMessage(error) } satisfies PaintAnswer);
  }
});
