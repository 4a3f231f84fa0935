import { describe, expect, it } from 'vitest';
import { stem } from './stem.ts';

describe('stem', () => {
  it.each([
    'install installs installed installing installation',
    'configure configures configured configuring configuration configurable',
    'authenticate authenticated authenticating authentication',
    'validate validation validator validating',
    'create creates created creating creation',
    'delete deleted deleting deletion',
    'document documents documented documentation',
    'deploy deploys deployed deploying deployment deployments',
    'subscribe subscribed subscription subscriptions',
    'notify notified notification notifications',
    'remove removed removing removal',
    'deliver delivered delivery deliveries',
    'expire expires expired expiration expiry',
    'cache caches cached caching',
    'retry retries retried retrying',
    'organize organise organization organisation',
    'secure security',
    'visible visibility',
    'price prices pricing',
    'embed embedded embedding',
    'index indexes indices',
    'send sent sending',
    'query queries querying',
    'http https',
  ])('maps the forms of one word to one stem: %s', (forms) => {
    expect(new Set(forms.split(' ').map(stem)).size).toBe(1);
  });

  it.each([
    'custom customer',
    'author authorize',
    'form format',
    'server session',
    'version verse',
    'port portal',
    'state station',
    'optic option',
  ])('keeps different words apart: %s', (words) => {
    expect(new Set(words.split(' ').map(stem)).size).toBe(2);
  });

  it('leaves words with digits, words in other scripts, and short words unchanged', () => {
    for (const word of ['s3', 'sha256', 'v1.2.3', 'css', 'дома', '日本', 'api'])
      expect(stem(word)).toBe(word);
  });
});
