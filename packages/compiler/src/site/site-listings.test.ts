import { expect, it } from 'vitest';
import { specLinks } from './site-listings.ts';

it('an API description is listed once, even if the settings name it repeatedly and in different forms', () => {
  const navigation = {
    tabs: [{ openapi: '/api/a.json', groups: [{ openapi: { source: './api/a.json' } }] }],
  };
  const build = {
    config: { api: { openapi: [{ source: 'api/a.json' }] }, navigation },
    files: { 'api/a.json': 'hash' },
  };
  expect(specLinks({ build, origin: 'https://x.dev' } as never, 'openapi')).toEqual([
    { title: 'api/a.json', url: 'https://x.dev/api/a.json' },
  ]);
});
