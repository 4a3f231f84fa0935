import { expect, it } from 'vitest';
import { lateIcons } from './resolve-islands.ts';

const names = (script: string, shown: unknown = []) =>
  lateIcons(script, shown, (name) => !name.startsWith('no-')).map(
    ({ attributes }) => attributes['data-icon'],
  );

it('icons that a script may show later are those that it passes as icons and the build did not show', () => {
  expect(
    names('e(I,{icon:a?"minus":"plus",size:12}),[{icon:"key",text:"lock"}],{lexicon:"x"}'),
  ).toEqual(['minus', 'plus', 'key']);
  expect(names('e(I,{icon:a?"minus":"plus"})', [{ props: { icon: 'plus' } }])).toEqual(['minus']);
  expect(names('{icon:"no-such"},{icon:"<b>"},{icon:b}')).toEqual([]);
});

it('a script cannot add an unlimited number of icons to a page', () => {
  const script = Array.from({ length: 500 }, (_, index) => `{icon:"a${index}"}`).join();
  expect(names(script)).toHaveLength(60);
});
