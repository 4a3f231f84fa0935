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

function blocks(primary: string, light: string, background = {}): { light: string; dark: string } {
  const css = siteColors({ colors: { primary, light, dark: primary }, background });
  const [, first, second] = /^:root\{(.*?)\}html\.dark\{(.*?)\}$/.exec(css) ?? [];
  return { light: first ?? '', dark: second ?? '' };
}

describe('siteColors', () => {
  it.each(BRANDS)('makes %s readable as link and as button, in light and dark', (brand) => {
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

  it('keeps a brand color that is readable as it is', () => {
    expect(blocks('#0052ff', '#8ea4ff').light).toContain('--d-link:#0052ff');
    expect(blocks('#0052ff', '#8ea4ff').dark).toContain('--d-link:#8ea4ff');
  });

  it('uses the background of the site unless the text would vanish on it', () => {
    expect(blocks('#000', '#fff', { color: { dark: '#131316' } }).dark).toContain('--d-bg:#131316');
    expect(blocks('#000', '#fff', { color: { light: '#222222' } }).light).not.toContain('--d-bg');
  });

  it('lets nothing but hex colors into the style sheet', () => {
    expect(siteColors({ colors: { primary: 'red;}</style>', light: 'url(x)', dark: '' }, background: {} })).toMatch(
      /^[-:a-z0-9#;{}.]+$/,
    );
  });
});

describe('contrast', () => {
  it('gives the ratios of WCAG', () => {
    const at = (a: string, b: string) => contrast(parseColor(a) as Color, parseColor(b) as Color);
    expect(at('#000', '#fff')).toBeCloseTo(21, 5);
    expect(at('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });
});
