import { expect, it } from 'vitest';
import { linkMark } from '../links.ts';
import { unlistedPages } from './page-reach.ts';

const page = (path: string, changes: object = {}, html = '') => ({
  ...{ path, href: `/${path}`, file: `${path}.mdx`, inNavigation: true, isHidden: false },
  content: { html, aside: '' },
  ...changes,
});

it('pages outside the navigation are reported separately from pages without any link to them', () => {
  const found = unlistedPages([
    page('a', {}, `<a href="${linkMark('page', '/linked/#part')}">x</a>`),
    page('linked', { inNavigation: false }),
    page('alone', { inNavigation: false }, `<a href="${linkMark('page', '/alone')}">itself</a>`),
    page('hidden', { inNavigation: false, isHidden: true }),
    page('made', { inNavigation: false, file: '' }),
  ]);
  expect(found.map((one) => `${one.severity} ${one.file} ${one.code}`)).toEqual([
    'info linked.mdx page-outside-navigation',
    'info alone.mdx unreachable-page',
  ]);
});
