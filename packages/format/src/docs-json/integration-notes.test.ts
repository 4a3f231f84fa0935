import { expect, it } from 'vitest';
import { countText } from '../diagnostics.ts';
import { bundleIntegrationsNote, withoutIntegrationsNote } from './integration-notes.ts';
import { readSiteConfig } from './read-site-config.ts';

const read = (integrations: object) => {
  const file = JSON.stringify({
    name: 'A',
    theme: 'mint',
    colors: { primary: '#000000' },
    navigation: { pages: ['a'] },
    integrations,
  });
  return readSiteConfig({ readText: (path) => (path === 'docs.json' ? file : undefined) });
};

it('integrations produce a note, not a warning, and the note is removed if the operator allows them', () => {
  const { diagnostics, config } = read({
    ga4: { measurementId: 'G-1234567890' },
    posthog: { apiKey: 'phc_abcdefgh' },
  });
  expect(diagnostics).toMatchObject([
    { severity: 'info', message: expect.stringContaining('(ga4, posthog)') },
  ]);
  expect(countText(diagnostics, 'warning')).toBe('0 warnings');
  expect(withoutIntegrationsNote(diagnostics)).toEqual([]);
  expect(bundleIntegrationsNote(config)).toContain(
    "none of the site's integrations (ga4, posthog)",
  );
});

it('a site without integrations has no note', () => {
  const { diagnostics, config } = read({ telemetry: { enabled: true } });
  expect(diagnostics).toEqual([]);
  expect(bundleIntegrationsNote(config)).toBeUndefined();
});
