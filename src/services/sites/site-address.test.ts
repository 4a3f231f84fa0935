import { expect, test } from 'vitest';
import { sandboxNotice } from './site-address.ts';

test.each([
  [undefined, '127.0.0.1', /share the origin of the public address/],
  [undefined, '0.0.0.0', /share the origin of the public address/],
  ['localhost', '0.0.0.0', /below localhost, which no other machine reaches/],
  ['docs.localhost', '192.0.2.1', /below docs\.localhost, which no other machine reaches/],
  ['localhost', '127.0.0.1', undefined],
  ['localhost', 'localhost', undefined],
  ['localhost', '::1', undefined],
  ['docs.example.net', '0.0.0.0', undefined],
])('with the sites domain %s, listening on %s, start-up says who reads sites in a sandbox', (sitesDomain, host, notice) => {
  const said = sandboxNotice({ sitesDomain, host });
  if (notice === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(notice);
});
