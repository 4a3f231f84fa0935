import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Canvas, CanvasKit, Image, Paragraph, Typeface } from 'canvaskit-wasm';
import { answerCalls } from '../process/calls.ts';
import { packagedFile } from '../process/own-modules.ts';
import type { CardPictures, CardSize, PreviewCalls, PreviewCard } from './preview-images.ts';

// The thread that draws cards. It holds the drawing library and fonts in memory (about 80 MB), and
// ends when it is idle.

const WIDTH = 1200;
const HEIGHT = 630;
const SMALL = 2 / 3;
const WEBP_QUALITY = 82;
const MARGIN = 84;
const TEXT_WIDTH = WIDTH - 2 * MARGIN;

/** The files of the font; a text may need several. */
const SCRIPTS = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
];
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

type Weight = 'text' | 'title';

const kit = await (
  createRequire(import.meta.url)('canvaskit-wasm/full') as () => Promise<CanvasKit>
)();
const provider = kit.TypefaceFontProvider.Make();
const faces: Typeface[] = [];
/** In the order in which they are searched for a glyph. */
const families: Record<Weight, string[]> = { text: [], title: [] };
for (const script of SCRIPTS) {
  addFont(`text-${script}`, 'text', packagedFont(script, 400));
  addFont(`title-${script}`, 'title', packagedFont(script, 700));
}
for (const path of SYSTEM_FONTS) {
  if (existsSync(path))
    addFont(`system-${path}`, path.includes('Regular') ? 'text' : 'title', readFileSync(path));
}

function addFont(family: string, weight: Weight, bytes: Uint8Array): void {
  const face = kit.Typeface.MakeTypefaceFromData(new Uint8Array(bytes).buffer);
  if (!face) return;
  provider.registerFont(bytes, family);
  families[weight].push(family);
  faces.push(face);
}

function packagedFont(script: string, weight: 400 | 700): Uint8Array {
  return readFileSync(
    packagedFile(`@fontsource/inter/files/inter-${script}-${weight}-normal.woff2`),
  );
}

function paint(card: PreviewCard, pictures: CardPictures, size: CardSize): Uint8Array {
  const scale = size === 'full' ? 1 : SMALL;
  const image = draw(scale, (canvas) => {
    canvas.scale(scale, scale);
    canvas.drawImage(groundOf(card, pictures.backdrop), 0, 0);
    if (canWrite(card.title)) drawText(canvas, card, pictures.logo);
    else drawMark(canvas, card, { x: WIDTH / 2 - 90, y: HEIGHT / 2 - 90, sizePx: 180 });
  });
  const bytes =
    size === 'full'
      ? image.encodeToBytes(kit.ImageFormat.PNG, 100)
      : image.encodeToBytes(kit.ImageFormat.WEBP, WEBP_QUALITY);
  image.delete();
  if (!bytes) throw new Error('The preview could not be encoded.');
  return bytes;
}

answerCalls({ paint } satisfies PreviewCalls);

function draw(scale: number, drawOn: (canvas: Canvas) => void): Image {
  const surface = kit.MakeSurface(WIDTH * scale, HEIGHT * scale);
  if (!surface) throw new Error('There is not enough memory to draw a preview.');
  try {
    drawOn(surface.getCanvas());
    surface.flush();
    return surface.makeImageSnapshot();
  } finally {
    surface.delete();
  }
}

const lettersKnown = new Map<string, boolean>();

/** Returns whether any font has a glyph for the character. */
function hasLetter(letter: string): boolean {
  const answer =
    lettersKnown.get(letter) ?? faces.some((face) => face.getGlyphIDs(letter)[0] !== 0);
  lettersKnown.set(letter, answer);
  return answer;
}

/**
 * Boxes in place of letters are useless, so a text is drawn only if the fonts have all of its
 * important glyphs.
 */
function canWrite(text: string): boolean {
  const letters = [...text].filter((letter) => /[\p{L}\p{N}]/u.test(letter));
  return letters.length > 0 && letters.every(hasLetter);
}

function writable(text: string): string {
  return canWrite(text)
    ? [...text].filter((letter) => /\s/.test(letter) || hasLetter(letter)).join('')
    : '';
}

function drawText(canvas: Canvas, card: PreviewCard, logo: Uint8Array | undefined): void {
  const { colors } = card;
  drawBrand(canvas, card, logo);
  const titleSizePx = card.title.length > 48 ? 60 : 76;
  const titleLook: TextLook = {
    sizePx: titleSizePx,
    color: colors.text,
    weight: 'title',
    lines: 3,
    lineHeight: 1.14,
    spacing: -1.5,
  };
  const title = paragraph(card, writable(card.title), titleLook);
  const about = writable(card.description);
  const aboutLines = about && title.getHeight() > 200 ? 1 : 2;
  const aboutLook: TextLook = {
    sizePx: 32,
    color: colors.muted,
    weight: 'text',
    lines: aboutLines,
    lineHeight: 1.4,
  };
  const description = paragraph(card, about, aboutLook);
  const labelLook: TextLook = {
    sizePx: 28,
    color: colors.link,
    weight: 'title',
    lines: 1,
    lineHeight: 1.3,
    spacing: 0.5,
  };
  const label = paragraph(card, writable(card.label), labelLook);
  const gap = about ? 22 : 0;
  const descriptionHeight = about ? description.getHeight() : 0;
  const y = HEIGHT - MARGIN - title.getHeight() - gap - descriptionHeight;
  if (card.label) canvas.drawParagraph(label, MARGIN, y - label.getHeight() - 10);
  canvas.drawParagraph(title, MARGIN, y);
  if (about) canvas.drawParagraph(description, MARGIN, y + title.getHeight() + gap);
  for (const drawn of [title, description, label]) drawn.delete();
}

/** Draws the logo if it is an image, otherwise a mark with the name. */
function drawBrand(canvas: Canvas, card: PreviewCard, logo: Uint8Array | undefined): void {
  const image = logo && kit.MakeImageFromEncoded(logo);
  const top = MARGIN - 12;
  if (image) {
    const scale = Math.min(64 / image.height(), 420 / image.width());
    const x = card.isRightToLeft ? WIDTH - MARGIN - image.width() * scale : MARGIN;
    drawPicture(canvas, image, { x, y: top, scale });
    return;
  }
  const x = card.isRightToLeft ? WIDTH - MARGIN - 60 : MARGIN;
  drawMark(canvas, card, { x, y: top, sizePx: 60 });
  const look = {
    sizePx: 34,
    color: card.colors.text,
    weight: 'title',
    lines: 1,
    lineHeight: 1.2,
    spacing: -0.4,
  } as const;
  const name = paragraph(card, writable(card.siteName), look, TEXT_WIDTH - 80);
  canvas.drawParagraph(
    name,
    card.isRightToLeft ? MARGIN : MARGIN + 80,
    top + (60 - name.getHeight()) / 2,
  );
  name.delete();
}

/** Draws an image, and frees it. */
function drawPicture(
  canvas: Canvas,
  image: Image,
  { x, y, scale }: { x: number; y: number; scale: number },
): void {
  const paint = new kit.Paint();
  const whole = kit.XYWHRect(0, 0, image.width(), image.height());
  const place = kit.XYWHRect(x, y, image.width() * scale, image.height() * scale);
  canvas.drawImageRectCubic(image, whole, place, 1 / 3, 1 / 3, paint);
  paint.delete();
  image.delete();
}

/** Draws the first letter of the site's name on its color, as in its icon. */
function drawMark(
  canvas: Canvas,
  card: PreviewCard,
  at: { x: number; y: number; sizePx: number },
): void {
  const paint = new kit.Paint();
  paint.setAntiAlias(true);
  paint.setColor(kit.parseColorString(card.colors.accent));
  const round = at.sizePx * 0.26;
  canvas.drawRRect(
    kit.RRectXY(kit.XYWHRect(at.x, at.y, at.sizePx, at.sizePx), round, round),
    paint,
  );
  paint.delete();
  const letter = writable([...card.siteName][0]?.toUpperCase() ?? '');
  if (letter === '') return;
  const look = {
    sizePx: at.sizePx * 0.58,
    color: card.colors.onAccent,
    weight: 'title',
    lines: 1,
    lineHeight: 1.2,
  } as const;
  const text = paragraph({ isRightToLeft: false }, letter, look, at.sizePx, true);
  canvas.drawParagraph(text, at.x, at.y + (at.sizePx - text.getHeight()) / 2);
  text.delete();
}

interface TextLook {
  sizePx: number;
  color: string;
  weight: Weight;
  lines: number;
  lineHeight: number;
  spacing?: number;
}

function paragraph(
  { isRightToLeft }: Pick<PreviewCard, 'isRightToLeft'>,
  text: string,
  look: TextLook,
  width = TEXT_WIDTH,
  centred = false,
): Paragraph {
  const style = new kit.ParagraphStyle({
    maxLines: look.lines,
    ellipsis: '…',
    textAlign: centred ? kit.TextAlign.Center : kit.TextAlign.Start,
    textDirection: isRightToLeft ? kit.TextDirection.RTL : kit.TextDirection.LTR,
    textStyle: {
      color: kit.parseColorString(look.color),
      fontFamilies: [
        ...families[look.weight],
        ...families[look.weight === 'text' ? 'title' : 'text'],
      ],
      fontSize: look.sizePx,
      heightMultiplier: look.lineHeight,
      halfLeading: true,
      letterSpacing: look.spacing ?? 0,
    },
  });
  const builder = kit.ParagraphBuilder.MakeFromFontProvider(style, provider);
  builder.addText(text);
  const textBlock = builder.build();
  builder.delete();
  textBlock.layout(width);
  return textBlock;
}

/** The background is the same for the whole site, and slow to draw. */
let lastGround: { key: string; image: Image } | undefined;

function groundOf(card: PreviewCard, backdrop: Uint8Array | undefined): Image {
  const key = JSON.stringify([card.colors, card.backdrop]);
  if (lastGround?.key === key) return lastGround.image;
  lastGround?.image.delete();
  lastGround = { key, image: draw(1, (canvas) => drawGround(canvas, card, backdrop)) };
  return lastGround.image;
}

function drawGround(
  canvas: Canvas,
  { colors }: PreviewCard,
  backdrop: Uint8Array | undefined,
): void {
  const clear = kit.parseColorString(colors.background);
  canvas.clear(clear);
  const paint = new kit.Paint();
  paint.setAntiAlias(true);
  const image = backdrop && kit.MakeImageFromEncoded(backdrop);
  if (image) {
    const scale = Math.max(WIDTH / image.width(), HEIGHT / image.height());
    drawPicture(canvas, image, {
      x: (WIDTH - image.width() * scale) / 2,
      y: (HEIGHT - image.height() * scale) / 2,
      scale,
    });
  } else {
    const glowColors = [kit.parseColorString(colors.glow), clear];
    const glow = kit.Shader.MakeRadialGradient(
      [WIDTH * 0.92, -40],
      820,
      glowColors,
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
}
