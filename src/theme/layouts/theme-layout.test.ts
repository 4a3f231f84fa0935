import { describe, expect, it } from 'vitest';
import { testConfig, testSite, testView } from '../../../test/support/test-view.ts';
import { renderPage } from '../render-page.ts';
import { familyOf } from './theme-layout.ts';

const NAMES = ['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'sequoia', 'luma'];
const MODES = ['default', 'wide', 'center', 'custom', 'frame'] as const;

function pageOf(theme: string, mode: (typeof MODES)[number] = 'default'): string {
  return renderPage(testView({ site: testSite({ config: testConfig({ theme }) }), page: { mode } }));
}

describe('familyOf', () => {
  it('knows every theme name of the format, with four structures among them', () => {
    expect(new Set(NAMES.map(familyOf))).toEqual(new Set(['mint', 'maple', 'palm', 'aspen']));
  });

  it('gives an unknown name, even one of a built-in property, the structure of mint', () => {
    expect(['', 'unheard', '__proto__', 'constructor'].map(familyOf)).toEqual(['mint', 'mint', 'mint', 'mint']);
  });
});

describe('the structure of a page', () => {
  it.each(NAMES)('%s has each region once, in the order header, list of pages, article', (theme) => {
    for (const mode of MODES) {
      const page = pageOf(theme, mode);
      const places = ['id="navbar"', 'id="mobile-nav"', 'id="content-area"'].map((id) => page.indexOf(id));
      expect(places, mode).not.toContain(-1);
      expect(places, mode).toEqual([...places].sort((a, b) => a - b));
      for (const id of ['navbar', 'sidebar', 'mobile-nav', 'content-container', 'content-area', 'search-bar-entry'])
        expect(page.split(`id="${id}"`), `${mode} ${id}`).toHaveLength(2);
    }
  });

  it('puts the header of maple beside the article only where a list of pages is', () => {
    const sides = MODES.filter((mode) => pageOf('maple', mode).includes('data-shell="side"'));
    expect(sides).toEqual(['default', 'wide', 'frame']);
    expect(NAMES.filter((theme) => pageOf(theme).includes('data-shell="side"'))).toEqual(['maple', 'willow', 'sequoia']);
  });

  it('keeps the name that the author wrote for their styles, escaped', () => {
    expect(pageOf('willow')).toContain('data-theme="willow" data-layout="maple"');
    expect(pageOf('"><script>')).toContain('data-theme="&quot;&gt;&lt;script&gt;"');
  });
});
