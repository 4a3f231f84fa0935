import { expect, it } from 'vitest';
import { nearestName, nearestNames, onlyNearestNames } from './nearest-name.ts';

it('a mistyped name matches the intended one', () => {
  const names = ['DOCENT_PORT', 'DOCENT_HOST', 'DOCENT_DATA'];
  expect(nearestName('DOCENT_PROT', names)).toBe('DOCENT_PORT');
  expect(nearestName('DOCENT_HOSTS', names)).toBe('DOCENT_HOST');
});

it('a name without a similar one matches nothing', () => {
  expect(nearestName('zzz', ['DOCENT_PORT'])).toBeUndefined();
  expect(nearestName('ai', ['api'])).toBeUndefined();
});

it('nearest names are sorted by the letters that differ, and distant ones are left out', () => {
  const names = ['how-it-works', 'deploy', 'deployment', 'Deployments'];
  expect(nearestNames('deploymnets', names)).toEqual(['Deployments', 'deployment']);
  expect(nearestNames('ab', ['ab'])).toEqual([]);
  expect(onlyNearestNames('deploymnets', names)).toEqual(['Deployments']);
});
