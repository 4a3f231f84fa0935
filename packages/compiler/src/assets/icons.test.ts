import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { createIconSource } from './icons.ts';

const icons = createIconSource();

test('icons are found by their current and older names in each library', () => {
  for (const name of [
    'rocket',
    'fa-rocket',
    'fa-solid fa-rocket',
    'home',
    'cog',
    'times',
    'github',
    'file-alt',
    'addressBook',
  ]) {
    expect(icons.find(name, 'fontawesome'), name).toBeDefined();
  }
  expect(icons.find('house', 'lucide')).toBeDefined();
  expect(icons.find('home', 'lucide')?.body).toBe(icons.find('house', 'lucide')?.body);
  expect(icons.find('brand-github', 'tabler')).toBeDefined();
});

test('the style selects the variant of an icon if it exists, and falls back otherwise', () => {
  const solid = icons.find('address-book', 'fontawesome');
  expect(icons.find('address-book', 'fontawesome', 'regular')?.body).not.toBe(solid?.body);
  expect(icons.find('rocket', 'fontawesome', 'light')?.body).toBe(
    icons.find('rocket', 'fontawesome')?.body,
  );
});

test('an icon that the library of the site lacks is taken from another', () => {
  expect(icons.find('square-terminal', 'fontawesome')).toBeDefined();
  expect(icons.find('gear', 'lucide')).toBeDefined();
});

test('unknown icon names return undefined', () => {
  for (const name of [
    'no-such-icon',
    'constructor',
    '__proto__',
    'toString',
    '',
    '../../package',
    '<svg>',
  ])
    expect(icons.find(name, 'lucide'), name).toBeUndefined();
});

test('a commercial icon is replaced with the nearest free one, in any case and style of its name', () => {
  const sold = [
    'waveform',
    'phone-arrow-up-right',
    'diagram-subtask',
    'sliders-simple',
    'spinner-third',
    'ufo-beam',
    'llama',
  ];
  for (const name of [
    ...sold,
    'GitHub',
    'LinkedIn',
    'house-duotone',
    'sharp-house',
    'fa-sharp fa-light fa-house',
    'RocketLaunch',
  ])
    expect(icons.find(name, 'fontawesome'), name).toBeDefined();
  expect(icons.find('GitHub', 'fontawesome')?.body).toBe(icons.find('github', 'fontawesome')?.body);
  const bodyOf = (name: string) => icons.find(name, 'fontawesome')?.body;
  expect(bodyOf('circle-dollar')).toBe(bodyOf('dollar-sign'));
  expect(bodyOf('square-heart')).toBe(bodyOf('heart'));
  expect(bodyOf('circle-no-such-icon')).toBe(bodyOf('circle'));
  expect(icons.find('House-Duotone', 'fontawesome', 'sharp-duotone-solid')?.body).toBe(
    icons.find('house', 'fontawesome')?.body,
  );
});

test('the installed sets use no part of the format that is not read: chains of names, turned, flipped and moved icons', () => {
  const require = createRequire(import.meta.url);
  for (const name of ['fa7-solid', 'fa7-brands', 'fa7-regular', 'lucide', 'tabler']) {
    const { icons, aliases = {}, width, height, ...rest } = require(
      `@iconify-json/${name}/icons.json`,
    );
    expect([width, height], name).toEqual([expect.any(Number), expect.any(Number)]);
    expect(Object.keys(rest).sort(), name).toEqual(['lastModified', 'prefix']);
    const fields = new Set(Object.values<object>(icons).flatMap((icon) => Object.keys(icon)));
    expect([...fields.difference(new Set(['body', 'hidden', 'width', 'height']))], name).toEqual(
      [],
    );
    for (const [alias, { parent, ...moves }] of Object.entries<{ parent: string }>(aliases))
      expect([alias, moves, Object.hasOwn(icons, parent)]).toEqual([alias, {}, true]);
  }
});
