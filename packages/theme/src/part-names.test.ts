import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Names in the classes of components, which authors select by: `[class*="callout"]`. */
const COMPONENT_NAMES = [
  ...[
    'accordion',
    'badge',
    'button',
    'callout',
    'card',
    'code',
    'color',
    'column',
    'expandable',
    'field',
    'frame',
    'group',
  ],
  ...[
    'icon',
    'mermaid',
    'panel',
    'prompt',
    'step',
    'tab',
    'tile',
    'tooltip',
    'tree',
    'update',
    'view',
  ],
];

/** Classes of the outer elements of components. */
const OUTER_CLASSES = new Set([
  ...[
    'd-accordion',
    'd-accordion-group',
    'd-badge',
    'd-callout',
    'd-card',
    'd-code',
    'd-code-group',
    'd-color',
    'd-color-row',
  ],
  ...[
    'd-colors',
    'd-column',
    'd-columns',
    'd-expandable',
    'd-field',
    'd-frame',
    'd-icon',
    'd-mermaid',
    'd-panel',
    'd-prompt',
  ],
  ...[
    'd-step',
    'd-steps',
    'd-tab',
    'd-tabs',
    'd-tile',
    'd-tooltip',
    'd-tree',
    'd-update',
    'd-view',
  ],
]);

/** The names that pages of older builds have are read, never written. */
const FORMER_NAMES = /(?:former-names|stored-page\.test)\.ts$/;
const src = fileURLToPath(new URL('../..', import.meta.url));
/** A class, but not a custom property (`--d-…`). */
const CLASS = /(?<![\w-])d-[a-z0-9]+(?:-[a-z0-9]+)*/g;

function classesIn(folder: string): [name: string, file: string][] {
  const files = readdirSync(join(src, folder, 'src'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.(?:ts|css)$/.test(file) && !FORMER_NAMES.test(file))
    .flatMap((file) => {
      const names = readFileSync(join(src, folder, 'src', file), 'utf8').match(CLASS) ?? [];
      return names.map((name): [string, string] => [name, file]);
    });
}

test('a selector by the name of a component matches its outer element and none of our parts', () => {
  const classes = ['format', 'symbol-reference', 'compiler', 'theme'].flatMap(classesIn);
  expect(classes.length).toBeGreaterThan(500);
  const parts = classes.filter(([name]) => !OUTER_CLASSES.has(name));
  expect(
    parts.filter(([name]) => COMPONENT_NAMES.some((component) => name.includes(component))),
  ).toEqual([]);
});
