import { expect, test } from 'vitest';
import { previewNameOf, readPreviewLabel } from './preview-name.ts';

test.each([
  ['main', 'main'],
  ['feature/New start', 'feature-new-start'],
  ['--x--y--', 'x-y'],
  ['renovate/all_minor-patch', 'renovate-all-minor-p'],
  ['ümläut', 'ml-ut'],
  ['日本', undefined],
  ['///', undefined],
  [`${'a'.repeat(19)}-bc`, 'a'.repeat(19)],
])('the preview of the branch %j is named %j', (branch, name) => {
  expect(previewNameOf(branch, 20)).toBe(name);
});

test.each([
  ['new-start--acme', { name: 'new-start', slug: 'acme' }],
  ['a--b--c', { name: 'a', slug: 'b--c' }],
  ['acme', undefined],
  ['--acme', undefined],
  ['a--', undefined],
  ['a---b', undefined],
])('the label %j is parsed as %j', (label, meaning) => {
  expect(readPreviewLabel(label)).toEqual(meaning);
});
