import { expect, it } from 'vitest';
import { lateIcons } from './late-icons.ts';

const names = (script: string, shown: unknown = []) =>
  lateIcons(script, shown, (name) => !name.startsWith('no-')).map(({ attributes }) => attributes['data-icon']);

it('the icons that code may show later are those that it passes as icons, and that the build has not shown', () => {
  expect(names('e(I,{icon:a?"minus":"plus",size:12}),[{icon:"key",text:"lock"}],{lexicon:"x"}')).toEqual([
    'minus',
    'plus',
    'key',
  ]);
  expect(names('e(I,{icon:a?"minus":"plus"})', [{ props: { icon: 'plus' } }])).toEqual(['minus']);
  expect(names('{icon:"no-such"},{icon:"<b>"},{icon:b}')).toEqual([]);
});

it('a script cannot make a page carry any number of icons', () => {
  const script = Array.from({ length: 500 }, (_, index) => `{icon:"a${index}"}`).join();
  expect(names(script)).toHaveLength(60);
});
