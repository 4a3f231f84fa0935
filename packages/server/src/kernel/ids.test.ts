import { expect, it } from 'vitest';
import { createExportJobId, createUlid, hashSecret, isExportJobId, isUlid } from './ids.ts';

it('a ULID contains its time, so that later ones sort after earlier ones', () => {
  const earlier = createUlid(new Date('2026-11-20T12:00:00.000Z'));
  const later = createUlid(new Date('2026-11-20T12:00:00.001Z'));
  expect(earlier < later).toBe(true);
  expect(createUlid(new Date(0)).slice(0, 10)).toBe('0000000000');
  // The example of the ULID specification.
  expect(createUlid(new Date(1_469_918_176_385)).slice(0, 10)).toBe('01ARYZ6S41');
});

it('ids are unique, and invalid text is not recognized as an id', () => {
  const now = new Date();
  expect(new Set(Array.from({ length: 1000 }, () => createUlid(now))).size).toBe(1000);
  expect(
    [createUlid(now), createExportJobId()].map((id) => [isUlid(id), isExportJobId(id)]),
  ).toEqual([
    [true, false],
    [false, true],
  ]);
  expect(
    [
      '',
      '01ARZ3NDEKTSV4RRFFQ69G5FAI',
      '81ARZ3NDEKTSV4RRFFQ69G5FAV',
      '01ARZ3NDEKTSV4RRFFQ69G5FAV\u0000',
    ].some(isUlid),
  ).toBe(false);
});

it('a secret is hashed with SHA-256', () => {
  expect(hashSecret('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
