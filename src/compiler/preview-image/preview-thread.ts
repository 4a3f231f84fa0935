import { answerRequests } from '../../request-thread.ts';
import { type CardPainter, type CardPictures, type CardSize, createCardPainter } from './draw-card.ts';
import type { PreviewCard } from './preview-card.ts';

export interface PaintRequest {
  card: PreviewCard;
  pictures: CardPictures;
  size: CardSize;
}

// The thread that draws previews.
let painter: Promise<CardPainter> | undefined;

answerRequests(async ({ card, pictures, size }: PaintRequest): Promise<Uint8Array> => {
  painter ??= createCardPainter();
  return (await painter).paint(card, pictures, size);
});
