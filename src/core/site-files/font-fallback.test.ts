import { describe, expect, it } from 'vitest';
import { withFontFallbacks } from './font-fallback.ts';

describe('withFontFallbacks', () => {
  it('adds a matching generic family to a list without one', () => {
    expect(withFontFallbacks('body { font-family: Geist }')).toBe('body { font-family: Geist, var(--d-font-text) }');
    expect(withFontFallbacks('pre{font-family:"Geist Mono"!important;color:red}')).toBe(
      'pre{font-family:"Geist Mono", var(--d-font-mono)!important;color:red}',
    );
    expect(withFontFallbacks("h1 { font-family: 'Source Serif 4' ; }")).toBe("h1 { font-family: 'Source Serif 4', serif ; }");
    expect(withFontFallbacks('h1 { FONT-FAMILY: "Open Sans", Lato')).toContain('Lato, var(--d-font-text)');
    expect(withFontFallbacks('a { font-family: var(--brand) }')).toContain('var(--brand), var(--d-font-text)');
  });

  it('leaves complete lists, font faces, and text that resembles a declaration unchanged', () => {
    for (const css of [
      'body { font-family: Geist, sans-serif }',
      'body { font-family: inherit; color: red }',
      'body { font-family: var(--a, Geist, system-ui) }',
      '@font-face { font-family: Geist; src: url(a.woff2) }',
      '/* font-family: Geist */ a::before { content: "font-family: Geist" }',
      '.font-family { color: red }',
      'a { transition: font-family 1s }',
    ])
      expect(withFontFallbacks(css)).toBe(css);
  });

  it('adds one family to each list of a style sheet of unclosed rules, and no other text', () => {
    const rule = 'a{font-family:';
    expect(withFontFallbacks(rule.repeat(40_000))).toBe(rule + `a, var(--d-font-text){font-family:`.repeat(39_999));
  });
});
