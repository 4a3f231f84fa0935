import { readSiteConfig } from '@docent/format/docs-json/read-site-config.ts';
import { expect, it } from 'vitest';
import { withoutMissingFiles } from './config-files.ts';

function missing(settings: object, assets: string[] = []) {
  const text = JSON.stringify({
    name: 'A',
    theme: 'mint',
    colors: { primary: '#000' },
    navigation: { pages: ['a'] },
    ...settings,
  });
  const { config } = readSiteConfig({
    readText: (path) => (path === 'docs.json' ? text : undefined),
  });
  const found = withoutMissingFiles(config, 'docs.json', new Set(assets));
  return { config: found.config, messages: found.diagnostics.map(({ message }) => message) };
}

it('a missing file for both color schemes is reported once, and two files separately', () => {
  const { config, messages } = missing(
    { favicon: 'icon.svg', logo: { light: '/l.svg', dark: '/d.svg' } },
    ['l.svg'],
  );
  expect(messages).toEqual([
    'logo.dark names /d.svg, which is not in the repository.',
    'favicon names /icon.svg, which is not in the repository.',
  ]);
  expect(config).not.toHaveProperty('favicon');
  expect(config).not.toHaveProperty('logo');
});
