import { createHash } from 'node:crypto';
import { withoutInlineMarks } from '../../core/content/markdown/inline-runs.ts';
import type { SiteConfig } from '../../core/docs-json/site-config.ts';
import type { BuiltPage, FileEntry, SiteBuild } from '../../core/site-build.ts';
import { type Color, formatColor, mixColors, parseColor } from '../../theme/colors/color.ts';
import { asSurface, readableOn, textOn } from '../../theme/colors/readable.ts';

/** Everything drawn on the link preview image of a page (1200 × 630). Its JSON identifies the image. */
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
  colors: { background: string; glow: string; text: string; muted: string; accent: string; onAccent: string; link: string };
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
export function previewCard({ config, files }: Pick<SiteBuild, 'config' | 'files'>, page: BuiltPage): PreviewCard {
  const appearance = config.thumbnails?.appearance ?? (config.appearance.default === 'dark' ? 'dark' : 'light');
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
    ...(logo ? { logo: logo.sha256 } : {}),
    ...(backdrop ? { backdrop: backdrop.sha256 } : {}),
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

function colorsOf({ colors, background }: SiteConfig, appearance: 'light' | 'dark'): PreviewCard['colors'] {
  const isDark = appearance === 'dark';
  const base = parseColor(background.color?.[appearance]) ?? (isDark ? hex('#0e0f12') : hex('#ffffff'));
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
