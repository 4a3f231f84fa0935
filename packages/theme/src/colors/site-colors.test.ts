import { describe, expect, it } from 'vitest';
import { type Color, contrast, parseColor } from './color.ts';
import { siteColors } from './site-colors.ts';

const BRANDS = [
  '#000',
  '#ffffff',
  '#0d9373',
  '#ffe600',
  '#ff0000',
  '#6b7280',
  '#00c851',
  '#e84125',
  '#0052ff',
  '#808080',
  '#123',
];

function valuesOf(block: string): (name: string) => Color {
  return (name) => parseColor(new RegExp(`--d-${name}:(#[0-9a-f]{6})`).exec(block)?.[1]) as Color;
}

/** The declarations in each appearance. */
function blocks(primary: string, light: string, background = {}): { light: string; dark: string } {
  const css = siteColors({ colors: { primary, light, dark: primary }, background });
  return {
    light: css.replace(/light-dark\((.*?),.*?\)/g, '$1'),
    dark: css.replace(/light-dark\(.*?,(.*?)\)/g, '$1'),
  };
}

describe('site colors', () => {
  it.each(BRANDS)('make %s readable in links and buttons, in light and dark mode', (brand) => {
    const { light, dark } = blocks(brand, brand);
    for (const [block, page] of [
      [light, '#ffffff'],
      [dark, '#0e0f12'],
    ] as const) {
      const value = valuesOf(block);
      expect(contrast(value('link'), parseColor(page) as Color)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(value('link'), value('accent-soft'))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(value('accent-fg'), value('accent'))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('keep a readable brand color unchanged', () => {
    expect(blocks('#0052ff', '#8ea4ff').light).toContain('--d-link:#0052ff');
    expect(blocks('#0052ff', '#8ea4ff').dark).toContain('--d-link:#8ea4ff');
  });

  it('use the background of the site unless it makes text unreadable', () => {
    expect(blocks('#000', '#fff', { color: { dark: '#131316' } }).dark).toContain('--d-bg:#131316');
    expect(blocks('#000', '#fff', { color: { light: '#222222' } }).light).toContain(
      '--d-bg:#ffffff',
    );
  });

  it('contain only hex colors', () => {
    expect(
      siteColors({
        colors: { primary: 'red;}</style>', light: 'url(x)', dark: '' },
        background: {},
      }),
    ).toMatch(/^:root\{(?:--d-[a-z-]+:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\);?)+\}$/);
  });
});

describe('the color of buttons', () => {
  const css = (dark?: string) =>
    siteColors({ colors: { primary: '#0052ff', light: '#8ea4ff', dark }, background: {} });

  it.each(BRANDS)(
    'is "dark" in both appearances, and text on it and links hovered in it stay readable: %s',
    (brand) => {
      const value = valuesOf(css(brand));
      expect(contrast(value('button-fg'), value('button'))).toBeGreaterThanOrEqual(4.5);
      const [, light, dark] = /--d-link-hover:light-dark\((#\w+),(#\w+)\)/.exec(css(brand)) ?? [];
      expect(
        contrast(parseColor(light) as Color, parseColor('#ffffff') as Color),
      ).toBeGreaterThanOrEqual(4.5);
      expect(
        contrast(parseColor(dark) as Color, parseColor('#0e0f12') as Color),
      ).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('is the exact color if white or black text is readable on it', () => {
    expect(css('#111111')).toContain('--d-button:#111111;--d-button-fg:#ffffff');
    expect(css('#facc15')).toContain('--d-button:#facc15;--d-button-fg:#0b0d14');
  });

  it('stays the accent color of the appearance without "dark"', () => {
    expect(css()).not.toContain('--d-button');
  });
});

describe('contrast', () => {
  it('follows the formula of WCAG', () => {
    const at = (a: string, b: string) => contrast(parseColor(a) as Color, parseColor(b) as Color);
    expect(at('#000', '#fff')).toBeCloseTo(21, 5);
    expect(at('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });
});
