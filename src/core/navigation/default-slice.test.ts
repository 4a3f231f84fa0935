import { expect, it } from 'vitest';
import { fakePage } from '../../../test/support/fakes.ts';
import type { SiteBuild } from '../site-build.ts';
import { defaultLabels } from './default-slice.ts';
import type { Division } from './navigation.ts';

function division(kind: Division['kind'], label: string, isDefault: boolean, children: Division['children']): Division {
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
  const labels = defaultLabels(build([versionWith('v2', false, 'v2/a'), versionWith('v1', true, 'v1/a')], pages));
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
