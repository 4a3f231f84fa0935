import { expect, it } from 'vitest';
import { redirectFaults } from './redirect-faults.ts';

const rule = (source: string, destination: string) => ({ source, destination, permanent: true });

function faults(...rules: [string, string][]): string[] {
  const found = redirectFaults({
    redirects: rules.map(([source, destination]) => rule(source, destination)),
    exists: (path) => ['/', '/a', '/b', '/a b'].includes(path),
    placeOf: () => ({ file: 'docs.json', line: 7 }),
  });
  return found.map((one) => `${one.severity} ${one.code} ${one.message}`);
}

it('valid redirects are not reported: chains, anchors, other sites, and patterns', () => {
  expect(
    faults(
      ['/x', '/y'],
      ['/y', '/a#part'],
      ['/s', '/t'],
      ['/t', '/a b'],
      ['/z/', '/b/'],
      ['/out', 'https://example.com'],
      ['/old/:slug*', '/gone/:slug*'],
    ),
  ).toEqual([]);
});

it('redirect loops are reported with their full path', () => {
  expect(faults(['/x', '/y'], ['/y', '/x'])).toEqual([
    expect.stringMatching(/^error redirect-loop .*\/x → \/y → \/x/),
    expect.stringMatching(/^error redirect-loop .*\/y → \/x → \/y/),
  ]);
  expect(faults(['/w/:s*', '/w/:s*/more'], ['/q', '/w/1'])).toEqual([
    expect.stringContaining('error redirect-loop'),
  ]);
});

it('broken redirects and redirects that hide a page are reported', () => {
  expect(faults(['/x', '/gone'], ['/a', '/b'])).toEqual([
    expect.stringMatching(/^warning redirect-target .*"\/gone"/),
    expect.stringMatching(/^warning redirect-hides-page .*"\/a"/),
  ]);
});
