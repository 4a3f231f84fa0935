import { describe, expect, it } from 'vitest';
import { testConfig, testSite, testView } from '../../../test/support/test-view.ts';
import { renderPage } from './render-page.ts';
import { familyOf } from './view/theme-family.ts';

const NAMES = ['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'sequoia', 'luma'];
const MODES = ['default', 'wide', 'center', 'custom', 'frame'] as const;

function pageOf(theme: string, mode: (typeof MODES)[number] = 'default'): string {
  return renderPage(
    testView({ site: testSite({ config: testConfig({ theme }) }), page: { mode } }),
  );
}

describe('familyOf', () => {
  it('maps all theme names of the format to four layout families', () => {
    expect(new Set(NAMES.map(familyOf))).toEqual(new Set(['mint', 'maple', 'palm', 'aspen']));
  });

  it('returns mint for an unknown name, even that of a built-in property', () => {
    expect(['', 'unheard', '__proto__', 'constructor'].map(familyOf)).toEqual([
      'mint',
      'mint',
      'mint',
      'mint',
    ]);
  });
});

describe('the layout of a page', () => {
  it.each(NAMES)(
    'contains each region once with %s, in the order header, navigation, article',
    (theme) => {
      for (const mode of MODES) {
        const page = pageOf(theme, mode);
        const places = ['id="navbar"', 'id="mobile-nav"', 'id="content-area"'].map((id) =>
          page.indexOf(id),
        );
        expect(places, mode).not.toContain(-1);
        expect(places, mode).toEqual([...places].sort((a, b) => a - b));
        for (const id of [
          'navbar',
          'sidebar',
          'mobile-nav',
          'content-container',
          'content-area',
          'search-bar-entry',
        ])
          expect(page.split(`id="${id}"`), `${mode} ${id}`).toHaveLength(2);
      }
    },
  );

  it('places the maple header at the side only on pages with a sidebar', () => {
    const sides = MODES.filter((mode) => pageOf('maple', mode).includes('data-shell="side"'));
    expect(sides).toEqual(['default', 'wide', 'frame']);
    expect(NAMES.filter((theme) => pageOf(theme).includes('data-shell="side"'))).toEqual([
      'maple',
      'willow',
      'sequoia',
    ]);
  });

  it('keeps the theme name of the author for custom styles, escaped', () => {
    expect(pageOf('willow')).toContain('data-theme="willow" data-layout="maple"');
    expect(pageOf('"><script>')).toContain('data-theme="&quot;&gt;&lt;script&gt;"');
  });
});
