import { expect, it } from 'vitest';
import { fakePage } from '../../../../test/support/fakes.ts';
import type { Division } from '../navigation/navigation.ts';
import { pageFacts } from '../navigation/page-facts.ts';
import { defaultLabels } from './default-slice.ts';
import type { SiteBuild } from './site-build.ts';

function division(
  kind: Division['kind'],
  label: string,
  isDefault: boolean,
  children: Division['children'],
): Division {
  return { kind, label, id: label, hidden: false, default: isDefault, children };
}

function build(roots: Division[], pages: [string, string][]): SiteBuild {
  return {
    navigation: { roots, global: [] },
    pages: pages.map(([path, version]) => fakePage(path, version)),
  } as unknown as SiteBuild;
}

const versionWith = (label: string, isDefault: boolean, path: string) =>
  division('version', label, isDefault, [{ kind: 'page', path }]);

it('the default version is the one that readers see first', () => {
  const pages: [string, string][] = [
    ['v2/a', 'v2'],
    ['v1/a', 'v1'],
  ];
  const labels = defaultLabels(
    build([versionWith('v2', false, 'v2/a'), versionWith('v1', true, 'v1/a')], pages),
  );
  expect(labels).toEqual({ version: 'v1', language: undefined });
});

it('no default version exists if products have different versions', () => {
  const products = ['a', 'b'].map((name) =>
    division('product', name, name === 'a', [versionWith(`${name}1`, true, `${name}/start`)]),
  );
  const labels = defaultLabels(
    build(products, [
      ['a/start', 'a1'],
      ['b/start', 'b1'],
    ]),
  );
  expect(labels.version).toBeUndefined();
});

it('a page that several versions list belongs to all of them, and does not hide the default version', () => {
  const pages = ['shared', 'v2/a', 'v1/a'].map((path): Division['children'][number] => ({
    kind: 'page',
    path,
  }));
  const [shared, second, first] = pages as [
    Division['children'][number],
    Division['children'][number],
    Division['children'][number],
  ];
  const roots = [
    division('version', 'v1', false, [shared, first]),
    division('version', 'v2', true, [second, shared]),
  ];
  const facts = pageFacts({ roots, global: [] });
  expect(facts.get('shared')).toMatchObject({ version: 'v1', versions: ['v1', 'v2'] });
  expect(facts.get('v2/a')?.versions).toBeUndefined();
  const built: [string, string][] = [
    ['shared', 'v1'],
    ['v2/a', 'v2'],
    ['v1/a', 'v1'],
  ];
  expect(defaultLabels(build(roots, built)).version).toBe('v2');
});
