import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Canvas, CanvasKit, Image, Paragraph, Typeface, TypefaceFontProvider } from 'canvaskit-wasm';
import { answerRequests } from '../../request-thread.ts';
import type { PreviewCard } from './preview-card.ts';

/** One font file and the family name to request it by. */
interface PreviewFont {
  family: string;
  weight: 'text' | 'title';
  bytes: Uint8Array;
}

/** The files of the font; a text may need several. */
const SCRIPTS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'];
/** System fonts, if installed, for scripts that our font does not cover. */
const SYSTEM_FONTS = [
  '/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc',
  '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
  '/usr/share/fonts/truetype/noto/NotoSansArabic-Bold.ttf',
  '/usr/share/fonts/truetype/noto/NotoSansHebrew-Bold.ttf',
  '/usr/share/fonts/truetype/noto/NotoSansDevanagari-Bold.ttf',
  '/usr/share/fonts/truetype/noto/NotoSansThai-Bold.ttf',
  '/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf',
];

/** The fonts for previews, in the order in which they are searched for a glyph. */
function previewFonts(): PreviewFont[] {
  const fonts: PreviewFont[] = [];
  for (const script of SCRIPTS) {
    fonts.push({ family: `text-${script}`, weight: 'text', bytes: packaged(script, 400) });
    fonts.push({ family: `title-${script}`, weight: 'title', bytes: packaged(script, 700) });
  }
  for (const path of SYSTEM_FONTS.filter((path) => existsSync(path))) {
    const bytes = readFileSync(path);
    const weight = /Regular/.test(path) ? 'text' : 'title';
    fonts.push({ family: `system-${path}`, weight, bytes });
  }
  return fonts;
}

function packaged(script: string, weight: 400 | 700): Uint8Array {
  const name = `@fontsource/inter/files/inter-${script}-${weight}-normal.woff2`;
  return readFileSync(fileURLToPath(import.meta.resolve(name)));
}

const WIDTH = 1200;
const HEIGHT = 630;
const SMALL = 2 / 3;
const WEBP_QUALITY = 82;
const MARGIN = 84;
const TEXT_WIDTH = WIDTH - 2 * MARGIN;

/** Returns the bytes of the images that a card names. */
export interface CardPictures {
  logo?: Uint8Array;
  backdrop?: Uint8Array;
}

/** The size that other sites and apps expect, or that of a list. */
export type CardSize = 'full' | 'small';

/** Draws cards. Holds the drawing library and fonts in memory (about 80 MB), so use it in a thread that can end. */
interface CardPainter {
  /** A PNG of 1200 × 630, or a WebP of 800 × 420 in a fraction of its bytes. */
  paint(card: PreviewCard, pictures: CardPictures, size: CardSize): Uint8Array;
}

/** Loads the drawing library and the fonts. */
async function createCardPainter(): Promise<CardPainter> {
  const load = createRequire(import.meta.url)('canvaskit-wasm/full') as () => Promise<CanvasKit>;
  const kit = await load();
  return new Painter(kit);
}

function encode(kit: CanvasKit, image: Image, size: CardSize): Uint8Array {
  try {
    const bytes =
      size === 'full' ? image.encodeToBytes(kit.ImageFormat.PNG, 100) : image.encodeToBytes(kit.ImageFormat.WEBP, WEBP_QUALITY);
    if (!bytes) throw new Error('The preview could not be encoded.');
    return bytes;
  } finally {
    image.delete();
  }
}

interface TextLook {
  sizePx: number;
  color: string;
  weight: 'text' | 'title';
  lines: number;
  lineHeight: number;
  spacing?: number;
}

class Painter implements CardPainter {
  readonly #kit: CanvasKit;
  readonly #provider: TypefaceFontProvider;
  readonly #families: Record<'text' | 'title', string[]> = { text: [], title: [] };
  /** Returns whether any font has a glyph for the character. */
  readonly #hasLetter: (letter: string) => boolean;
  /** The background is the same for the whole site, and slow to draw. */
  #ground: { key: string; image: Image } | undefined;

  constructor(kit: CanvasKit) {
    this.#kit = kit;
    this.#provider = kit.TypefaceFontProvider.Make();
    const faces: Typeface[] = [];
    for (const { family, weight, bytes } of previewFonts()) {
      const face = kit.Typeface.MakeTypefaceFromData(new Uint8Array(bytes).buffer);
      if (!face) continue;
      this.#provider.registerFont(bytes, family);
      this.#families[weight].push(family);
      faces.push(face);
    }
    const known = new Map<string, boolean>();
    this.#hasLetter = (letter) => {
      const answer = known.get(letter) ?? faces.some((face) => face.getGlyphIDs(letter)[0] !== 0);
      known.set(letter, answer);
      return answer;
    };
  }

  paint(card: PreviewCard, pictures: CardPictures, size: CardSize): Uint8Array {
    const kit = this.#kit;
    const scale = size === 'full' ? 1 : SMALL;
    const surface = kit.MakeSurface(WIDTH * scale, HEIGHT * scale);
    if (!surface) throw new Error('There is not enough memory to draw a preview.');
    try {
      const canvas = surface.getCanvas();
      canvas.scale(scale, scale);
      canvas.drawImage(this.#groundOf(card, pictures.backdrop), 0, 0);
      if (this.#canWrite(card.title)) this.#drawText(canvas, card, pictures.logo);
      else this.#drawMark(canvas, card, { x: WIDTH / 2 - 90, y: HEIGHT / 2 - 90, sizePx: 180 });
      surface.flush();
      return encode(kit, surface.makeImageSnapshot(), size);
    } finally {
      surface.delete();
    }
  }

  /** Boxes in place of letters are useless, so a text is drawn only if the fonts have all of its important glyphs. */
  #canWrite(text: string): boolean {
    const letters = [...text].filter((letter) => /[\p{L}\p{N}]/u.test(letter));
    return letters.length > 0 && letters.every((letter) => this.#hasLetter(letter));
  }

  #writable(text: string): string {
    return this.#canWrite(text) ? [...text].filter((letter) => /\s/.test(letter) || this.#hasLetter(letter)).join('') : '';
  }

  #drawText(canvas: Canvas, card: PreviewCard, logo: Uint8Array | undefined): void {
    const { colors } = card;
    this.#drawBrand(canvas, card, logo);
    const title = this.#paragraph(card, this.#writable(card.title), {
      ...{
        sizePx: card.title.length > 48 ? 60 : 76,
        color: colors.text,
        weight: 'title',
        lines: 3,
        lineHeight: 1.14,
        spacing: -1.5,
      },
    });
    const about = this.#writable(card.description);
    const description = this.#paragraph(card, about, {
      ...{ sizePx: 32, color: colors.muted, weight: 'text', lines: about && title.getHeight() > 200 ? 1 : 2, lineHeight: 1.4 },
    });
    const label = this.#paragraph(card, this.#writable(card.label), {
      ...{ sizePx: 28, color: colors.link, weight: 'title', lines: 1, lineHeight: 1.3, spacing: 0.5 },
    });
    const gap = about ? 22 : 0;
    const descriptionHeight = about ? description.getHeight() : 0;
    let y = HEIGHT - MARGIN - title.getHeight() - gap - descriptionHeight;
    if (card.label) canvas.drawParagraph(label, MARGIN, y - label.getHeight() - 10);
    canvas.drawParagraph(title, MARGIN, y);
    y += title.getHeight() + gap;
    if (about) canvas.drawParagraph(description, MARGIN, y);
    for (const paragraph of [title, description, label]) paragraph.delete();
  }

  /** Draws the logo if it is an image, otherwise a mark with the name. */
  #drawBrand(canvas: Canvas, card: PreviewCard, logo: Uint8Array | undefined): void {
    const kit = this.#kit;
    const image = logo && kit.MakeImageFromEncoded(logo);
    const top = MARGIN - 12;
    if (image) {
      const scale = Math.min(64 / image.height(), 420 / image.width());
      const [width, height] = [image.width() * scale, image.height() * scale];
      const x = card.isRightToLeft ? WIDTH - MARGIN - width : MARGIN;
      const paint = new kit.Paint();
      const whole = kit.XYWHRect(0, 0, image.width(), image.height());
      canvas.drawImageRectCubic(image, whole, kit.XYWHRect(x, top, width, height), 1 / 3, 1 / 3, paint);
      paint.delete();
      image.delete();
      return;
    }
    const x = card.isRightToLeft ? WIDTH - MARGIN - 60 : MARGIN;
    this.#drawMark(canvas, card, { x, y: top, sizePx: 60 });
    const look = { sizePx: 34, color: card.colors.text, weight: 'title', lines: 1, lineHeight: 1.2, spacing: -0.4 } as const;
    const name = this.#paragraph(card, this.#writable(card.siteName), look, TEXT_WIDTH - 80);
    canvas.drawParagraph(name, card.isRightToLeft ? MARGIN : MARGIN + 80, top + (60 - name.getHeight()) / 2);
    name.delete();
  }

  /** Draws the first letter of the site's name on its color, as in its icon. */
  #drawMark(canvas: Canvas, card: PreviewCard, at: { x: number; y: number; sizePx: number }): void {
    const kit = this.#kit;
    const paint = new kit.Paint();
    paint.setAntiAlias(true);
    paint.setColor(kit.parseColorString(card.colors.accent));
    const round = at.sizePx * 0.26;
    canvas.drawRRect(kit.RRectXY(kit.XYWHRect(at.x, at.y, at.sizePx, at.sizePx), round, round), paint);
    paint.delete();
    const letter = this.#writable([...card.siteName][0]?.toUpperCase() ?? '');
    if (letter === '') return;
    const look = { sizePx: at.sizePx * 0.58, color: card.colors.onAccent, weight: 'title', lines: 1, lineHeight: 1.2 } as const;
    const text = this.#paragraph({ isRightToLeft: false }, letter, look, at.sizePx, true);
    canvas.drawParagraph(text, at.x, at.y + (at.sizePx - text.getHeight()) / 2);
    text.delete();
  }

  #paragraph(
    { isRightToLeft }: Pick<PreviewCard, 'isRightToLeft'>,
    text: string,
    look: TextLook,
    width = TEXT_WIDTH,
    centred = false,
  ): Paragraph {
    const kit = this.#kit;
    const style = new kit.ParagraphStyle({
      maxLines: look.lines,
      ellipsis: '…',
      textAlign: centred ? kit.TextAlign.Center : kit.TextAlign.Start,
      textDirection: isRightToLeft ? kit.TextDirection.RTL : kit.TextDirection.LTR,
      textStyle: {
        color: kit.parseColorString(look.color),
        fontFamilies: [...this.#families[look.weight], ...this.#families[look.weight === 'text' ? 'title' : 'text']],
        fontSize: look.sizePx,
        heightMultiplier: look.lineHeight,
        halfLeading: true,
        letterSpacing: look.spacing ?? 0,
      },
    });
    const builder = kit.ParagraphBuilder.MakeFromFontProvider(style, this.#provider);
    builder.addText(text);
    const paragraph = builder.build();
    builder.delete();
    paragraph.layout(width);
    return paragraph;
  }

  #groundOf(card: PreviewCard, backdrop: Uint8Array | undefined): Image {
    const key = JSON.stringify([card.colors, card.backdrop]);
    if (this.#ground?.key === key) return this.#ground.image;
    this.#ground?.image.delete();
    const image = this.#drawGround(card, backdrop);
    this.#ground = { key, image };
    return image;
  }

  #drawGround({ colors }: PreviewCard, backdrop: Uint8Array | undefined): Image {
    const kit = this.#kit;
    const surface = kit.MakeSurface(WIDTH, HEIGHT);
    if (!surface) throw new Error('There is not enough memory to draw a preview.');
    const canvas = surface.getCanvas();
    canvas.clear(kit.parseColorString(colors.background));
    const paint = new kit.Paint();
    paint.setAntiAlias(true);
    const image = backdrop && kit.MakeImageFromEncoded(backdrop);
    if (image) {
      const scale = Math.max(WIDTH / image.width(), HEIGHT / image.height());
      const [width, height] = [image.width() * scale, image.height() * scale];
      const whole = kit.XYWHRect(0, 0, image.width(), image.height());
      const place = kit.XYWHRect((WIDTH - width) / 2, (HEIGHT - height) / 2, width, height);
      canvas.drawImageRectCubic(image, whole, place, 1 / 3, 1 / 3, paint);
      image.delete();
    } else {
      const clear = kit.parseColorString(colors.background);
      const glow = kit.Shader.MakeRadialGradient(
        [WIDTH * 0.92, -40],
        820,
        [kit.parseColorString(colors.glow), clear],
        [0, 1],
        kit.TileMode.Clamp,
      );
      paint.setShader(glow);
      canvas.drawRect(kit.XYWHRect(0, 0, WIDTH, HEIGHT), paint);
      paint.setShader(null);
      glow.delete();
    }
    paint.setColor(kit.parseColorString(colors.accent));
    canvas.drawRect(kit.XYWHRect(0, HEIGHT - 10, WIDTH, 10), paint);
    paint.delete();
    surface.flush();
    const ground = surface.makeImageSnapshot();
    surface.delete();
    return ground;
  }
}

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
