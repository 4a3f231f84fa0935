import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openDashboard,
  openPage,
  sharedBrowser,
  signUp,
} from '../support/browser.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

describe.skipIf(chromiumPath === '')('passkeys', () => {
  let docent: RunningDocent & { setupUrl: string };
  let browser: Browser;
  let page: Page;
  let devtools: CDPSession;
  let authenticatorId: string;

  beforeEach(async () => {
    [docent, browser] = await Promise.all([
      startDocent() as Promise<typeof docent>,
      sharedBrowser(),
    ]);
    ({ page } = await openPage(browser, docent.apiUrl));
    devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    ({ authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    }));
    await signUp(page, docent, {
      name: 'Ada Lovelace',
      email: 'ada@acme.example',
      password: 'a long passphrase',
    });
  });
  afterEach(async () => {
    await closeContexts(browser);
    await docent?.stop();
  });
  afterAll(removeTemporaryFolders);

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const open = (path: string) => openDashboard(page, `${docent.apiUrl}/dashboard${path}`);
  const passkeys = () => page.getByRole('table', { name: 'Passkeys' });
  const name = () => page.getByRole('textbox', { name: 'Name', exact: true });
  const signOut = async () => {
    await page.context().clearCookies();
    await open('/sign-in');
    await button('Sign in with a passkey').waitFor();
  };

  it('are added, named, sign in without a password or a code, and no longer once they are deleted', async () => {
    await open('/account/security');
    await button('Add a passkey').click();
    await name().fill('Laptop');
    await button('Continue').click();
    await passkeys().getByText('Laptop').waitFor();
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toMatchObject([
      { isResidentCredential: true, rpId: 'localhost', userName: 'ada@acme.example' },
    ]);

    await passkeys().getByRole('button', { name: 'Rename' }).click();
    await name().fill('Phone');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename', exact: true }).click();
    await passkeys().getByText('Phone').waitFor();

    await signOut();
    await button('Sign in with a passkey').click();
    await page.waitForURL(/\/dashboard\/acme/);

    // One that verified nobody is a single factor, whatever the browser was asked for.
    await signOut();
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await button('Sign in with a passkey').click();
    await page.getByText(/No passkey was used|must ask for your PIN/).waitFor();
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await button('Sign in with a passkey').click();
    await page.waitForURL(/\/dashboard\/acme/);

    await open('/account/security');
    await passkeys().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('You have none yet.').waitFor();
    await signOut();
    await button('Sign in with a passkey').click();
    await page.getByText('This passkey is not known here').waitFor();
    expect(await page.evaluate(async () => (await fetch('/v1/session')).json())).toMatchObject({
      user: null,
    });
  });
});
