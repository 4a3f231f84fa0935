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
])(
  'with the sites domain %s and the host %s, the sandbox notice at startup is %s',
  (sitesDomain, host, notice) => {
    const text = sandboxNotice({ sitesDomain, host });
    if (notice === undefined) expect(text).toBeUndefined();
    else expect(text).toMatch(notice);
  },
);
