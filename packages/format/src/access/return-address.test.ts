import { expect, it } from 'vitest';
import { addressAfterSignIn, addressAfterSignUp, signInAddress } from './return-address.ts';

const nextOf = (address: string) =>
  new URL(address, 'https://docs.example').searchParams.get('next') ?? undefined;

it('leads back to the page that was wanted, with its query string and hash', () => {
  for (const wanted of [
    '/dashboard',
    '/dashboard/acme/hoppscotch-docs/keys',
    '/dashboard/acme/docs/analytics?days=7&path=%2Fguides%2Fa%20b&referrer=x%26y#pages',
    '/dashboard/invite/abc_DEF-1',
  ])
    expect(addressAfterSignIn(nextOf(signInAddress(wanted)))).toBe(wanted);
});

it('never leads out of the dashboard, nor back to the sign-in', () => {
  for (const hostile of [
    undefined,
    '',
    '//evil.example',
    '//evil.example/dashboard',
    '/\\evil.example',
    '/dashboard\\..\\..\\evil',
    'https://evil.example/dashboard',
    'javascript:alert(1)',
    'dashboard',
    '/dashboardx',
    '/v1/session',
    '/dashboard/../v1/session',
    '/dashboard/acme/.',
    '/dashboard/acme/.%2E/../v1/session',
    '/dashboard/%2e%2e/v1/session',
    '/dashboard/%2E%2E//evil.example',
    '/%64ashboard',
    '/\t/evil.example',
    '/dashboard\n/x',
    '/dashboard/caf\u00e9',
    '/dashboard/sign-in?next=/dashboard/sign-in',
  ]) {
    expect(addressAfterSignIn(hostile), hostile).toBe('/dashboard');
    if (hostile !== undefined)
      expect(addressAfterSignIn(nextOf(signInAddress(hostile))), hostile).toBe('/dashboard');
  }
});

it('leads a new account to the page that was wanted, but not to an invitation that it has accepted', () => {
  expect(addressAfterSignUp('/dashboard/acme/docs#top')).toBe('/dashboard/acme/docs#top');
  expect(addressAfterSignUp('/dashboard/invite/abc')).toBe('/dashboard');
});
