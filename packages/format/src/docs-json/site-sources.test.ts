import { expect, it } from 'vitest';
import { overlappingPaths, pathInRepository, readSourcePath } from './site-sources.ts';

it('the path of a source is a path of the site, without slashes around it', () => {
  expect(readSourcePath(' /sdks/python/ ')).toBe('sdks/python');
  for (const text of [
    '',
    '/',
    '..',
    'a/../b',
    'a//b',
    '.git',
    'a b',
    '_docent',
    'a?b',
    'x'.repeat(201),
  ])
    expect(readSourcePath(text), text).toBeUndefined();
});

it('a path overlaps with itself and with those above and below it, not with one that begins like it', () => {
  expect(overlappingPaths(['api', 'api-v2', 'sdks/python', 'sdks/go'])).toBeUndefined();
  expect(overlappingPaths(['api', 'x', 'api'])).toEqual(['api', 'api']);
  expect(overlappingPaths(['api/v2', 'api'])).toEqual(['api/v2', 'api']);
  expect(overlappingPaths(['sdks', 'sdks/go'])).toEqual(['sdks', 'sdks/go']);
});

it('a file of the site is named as its own repository has it, and not in another', () => {
  const sources = [
    { path: 'api', name: 'acme/api' },
    { path: 'sdks/go', name: 'acme/go' },
  ];
  const go = { path: 'sdks/go', folder: 'docs' };
  expect(pathInRepository(sources, go, 'sdks/go/start.mdx')).toBe('docs/start.mdx');
  expect(pathInRepository(sources, go, 'api/start.mdx')).toBeUndefined();
  const base = { path: '', folder: '' };
  expect(pathInRepository(sources, base, 'sdks/start.mdx')).toBe('sdks/start.mdx');
  expect(pathInRepository(sources, base, 'api/start.mdx')).toBeUndefined();
});
