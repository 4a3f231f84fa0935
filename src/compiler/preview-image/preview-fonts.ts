import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One font file and the family name to request it by. */
export interface PreviewFont {
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
export function previewFonts(): PreviewFont[] {
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
