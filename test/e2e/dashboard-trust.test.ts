import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { previousTotpOf, totpOf } from '../../packages/server/src/ports/accounts.contract.ts';
import {
  chromiumPath,
  closeContexts,
  openDashboard,
  openPage,
  seriousFindings,
  sharedBrowser,
} from '../support/browser.ts';
import { call, fixtureSite, tarball } from '../support/http.ts';
import { OIDC_CLIENT, startOidcProvider } from '../support/oidc-provider.ts';
import {
  freePort,
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const EMAIL = 'ada@acme.example';
const PASSWORD = 'a long passphrase';

/** An owner at work, with a session that ends, a connection that drops, and several tabs. */
describe.skipIf(chromiumPath === '')('the dashboard keeps what people do', () => {
  let docent: RunningDocent & { setupUrl: string };
  let provider: Awaited<ReturnType<typeof startOidcProvider>>;
  let browser: Browser;
  let page: Page;
  let faults: string[];
  let org = '';
  /** Those of Ada, while she has a second factor. */
  let recoveryCodes: string[] = [];

  beforeAll(async () => {
    const port = await freePort();
    provider = await startOidcProvider(`http://localhost:${port}/v1/auth/callback/oidc`);
    const env = {
      DOCENT_OIDC_ISSUER: provider.issuer,
      DOCENT_OIDC_CLIENT_ID: OIDC_CLIENT.clientId,
      DOCENT_OIDC_CLIENT_SECRET: OIDC_CLIENT.clientSecret,
      DOCENT_OIDC_NAME: 'Acme ID',
      DOCENT_ORGANIZATION_CREATION: 'members',
    };
    [docent, browser] = await Promise.all([
      startDocent({ port, env }) as Promise<typeof docent>,
      sharedBrowser(),
    ]);
    ({ page, faults } = await openPage(browser, docent.apiUrl));
    await openDashboard(page, docent.setupUrl);
    await page.getByLabel('Organization').fill('Acme');
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await button('Create account').click();
    await heading('Sites').waitFor();
    org = new URL(page.url()).pathname.split('/')[2] as string;
  }, 240_000);
  afterAll(async () => {
    await closeContexts(browser);
    await docent?.stop();
    await provider?.stop();
    await removeTemporaryFolders();
  });

  // Whatever the test before has left, also if it failed in the middle.
  beforeEach(async () => {
    for (const tab of page.context().pages()) if (tab !== page) await tab.close();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().setOffline(false);
    await endSecondFactor(await ensureSession());
  });

  const send = async (path: string, data: object) => {
    const answer = await page
      .context()
      .request.post(`${docent.apiUrl}${path}`, { data, headers: { origin: docent.apiUrl } });
    return { status: answer.status(), body: (await answer.json()) as Record<string, unknown> };
  };
  /**
   * Signs Ada in, unless the browser has a session of hers. @returns whether she has a second
   * factor
   */
  const ensureSession = async (): Promise<boolean> => {
    const answer = await page.context().request.get(`${docent.apiUrl}/v1/session`);
    const { user } = (await answer.json()) as {
      user: { email: string; twoFactorEnabled: boolean } | null;
    };
    if (user?.email === EMAIL) return user.twoFactorEnabled;
    const { body } = await send('/v1/auth/sign-in/email', { email: EMAIL, password: PASSWORD });
    if (body.twoFactorRedirect !== true) return false;
    await send('/v1/auth/two-factor/verify-backup-code', { code: recoveryCodes.pop() });
    return true;
  };
  /**
   * Ends the session on the server too: a response that is on its way could set its cookies again.
   */
  const loseSession = async () => {
    await send('/v1/auth/sign-out', {});
    await page.context().clearCookies();
  };
  const endSecondFactor = async (isOn: boolean) => {
    if (isOn)
      expect((await send('/v1/auth/two-factor/disable', { password: PASSWORD })).status).toBe(200);
  };

  const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });
  const heading = (name: string, on = page) =>
    on.getByRole('heading', { name, exact: true, level: 1 });
  const open = (path: string, on = page) =>
    openDashboard(on, `${docent.apiUrl}/dashboard/${org}${path}`);
  const signInDialog = (on = page) => on.getByRole('dialog', { name: 'Sign in again' });
  const rail = (name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true });
  const starters = () => page.getByLabel('Starter questions');
  const savedStarters = () =>
    page.evaluate(async () => {
      const answer = await fetch('/v1/project/docent/assistant-settings');
      return ((await answer.json()) as { starterQuestions?: string[] }).starterQuestions;
    });
  const signIn = async () => {
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button('Sign in').click();
  };
  /**
   * Enters the code of the moment; a busy machine may send it too late, and then the next one is
   * entered.
   */
  const enterCode = async (address: string) => {
    for (let status = 0, tries = 0; status !== 200; tries += 1) {
      expect(tries).toBeLessThan(4);
      const code = totpOf(address);
      await signInDialog().getByLabel('Code').fill(code);
      const answer = page.waitForResponse('**/two-factor/verify-totp');
      await button('Continue').click();
      status = (await answer).status();
      if (status !== 200) await expect.poll(() => totpOf(address)).not.toBe(code);
    }
  };
  /** Connects the account of Ada to the identity provider, unless it is connected. */
  const connect = async () => {
    provider.expect({ sub: 'ada', email: EMAIL, email_verified: true, name: 'Ada Lovelace' });
    await openDashboard(page, `${docent.apiUrl}/dashboard/account/security`);
    const connected = page.getByText('Connected', { exact: true });
    await button('Connect').or(connected).waitFor();
    if ((await connected.count()) === 0) await button('Connect').click();
    await connected.waitFor();
  };
  /** An attempt before may have saved the text: without a difference, there is nothing to save. */
  const clearStarters = async () => {
    const path = '/v1/project/docent/assistant-settings';
    const body = { starterQuestions: [] };
    expect((await call(docent, docent.adminKey, 'PATCH', path, body)).status).toBe(200);
  };
  const editAndLoseSession = async (text: string) => {
    await clearStarters();
    await open('/docent/assistant');
    await starters().fill(text);
    await loseSession();
    await button('Save changes').click();
    await signInDialog().waitFor();
  };

  it('publishes the sample on a page that was loaded by its address, and shows its deployment', async () => {
    await call(docent, docent.adminKey, 'DELETE', '/v1/projects/sample?confirm=sample');
    await open('/settings/new-site');
    await button('Use the sample').click();
    await button('Publish').click();
    await heading('Uploaded by Ada Lovelace').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Overview' })
      .click();
    await page.getByRole('link', { name: 'Visit' }).waitFor();
  });

  it('never rolls back to a preview, and asks before its build is made public', async () => {
    const slug = `rolled-${Date.now()}`;
    const headers = {
      authorization: `Bearer ${docent.adminKey}`,
      'content-type': 'application/gzip',
    };
    const publish = async (query: string) => {
      const url = `${docent.apiUrl}/v1/project/${slug}/source${query}`;
      const answer = await fetch(url, {
        method: 'PUT',
        headers,
        body: tarball(fixtureSite('small')),
      });
      expect(answer.status).toBe(202);
      const { statusId } = (await answer.json()) as { statusId: string };
      const state = async () => {
        const one = await call(
          docent,
          docent.adminKey,
          'GET',
          `/v1/projects/${slug}/deployments/${statusId}`,
        );
        return ((await one.json()) as { status: string }).status;
      };
      await expect.poll(state).toBe('success');
    };
    await call(docent, docent.adminKey, 'POST', '/v1/projects', { slug });
    for (const query of ['', '?preview=secret', '']) await publish(query);
    await open(`/${slug}/deployments?show=all`);
    const table = page.getByRole('table', { name: 'Deployments' });
    const states = async () =>
      (await table.getByRole('row').allInnerTexts())
        .slice(1)
        .map((row) => /Live|In preview|Built/.exec(row)?.[0]);
    await expect.poll(states).toEqual(['Live', 'In preview', 'Built']);
    const preview = table.getByRole('row').filter({ hasText: 'In preview' });
    await preview.getByRole('button', { name: /^Actions/ }).click();
    await expect.poll(() => page.getByRole('menuitem', { name: /^Roll back/ }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Promote' }).click();
    await page.getByRole('dialog').getByText('Everyone who can open').waitFor();
    await button('Cancel').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('roll back');
    await page.keyboard.press('Enter');
    await expect.poll(states).toEqual(['Built', 'In preview', 'Live']);
  });

  it('leads back after a sign-in to the page that was wanted, with its query string and hash', async () => {
    const path = '/docent/searches?days=7&q=a%2Bb#top';
    await loseSession();
    await page.goto(`${docent.apiUrl}/dashboard/${org}${path}`);
    await heading('Sign in').waitFor();
    await signIn();
    await heading('Searches').waitFor();
    await expect.poll(() => page.url()).toBe(`${docent.apiUrl}/dashboard/${org}${path}`);
    await loseSession();
    await page.goto(`${docent.apiUrl}/dashboard/sign-in?next=%2F%5Cevil.example`);
    await signIn();
    await heading('Sites').waitFor();
  });

  it('asks for a sign-in over the page when the session has ended, keeps the text, and saves it afterwards', async () => {
    await editAndLoseSession('Is my text kept?');
    await expect.poll(() => signInDialog().getByLabel('Email').inputValue()).toBe(EMAIL);
    expect(await seriousFindings(page)).toEqual([]);
    await signInDialog().getByLabel('Password').fill('not the passphrase');
    await button('Sign in').click();
    await signInDialog().getByRole('alert').waitFor();
    await signInDialog().getByLabel('Password').fill(PASSWORD);
    await button('Sign in').click();
    await page.getByText('Settings saved').waitFor();
    await expect.poll(() => signInDialog().count()).toBe(0);
    await expect.poll(() => starters().inputValue()).toBe('Is my text kept?');
    expect(await savedStarters()).toEqual(['Is my text kept?']);
  });

  it('asks for a new sign-in before other sessions are ended if the sign-in was long ago, and then ends them', async () => {
    const other = await openPage(browser, docent.apiUrl);
    const signedOut = other.page.getByRole('heading', { name: 'Sign in', exact: true, level: 1 });
    await openDashboard(other.page, `${docent.apiUrl}/dashboard/sign-in`);
    await other.page.getByLabel('Email').fill(EMAIL);
    await other.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button('Sign in', other.page).click();
    await heading('Sites', other.page).waitFor();
    await openDashboard(page, `${docent.apiUrl}/dashboard/account/sessions`);
    // As the server answers 10 minutes after the sign-in
    // (packages/server/src/sign-in/recent-sign-in.test.ts).
    let isOld = true;
    await page.route('**/v1/auth/revoke-other-sessions', (route) => {
      const refusal = {
        status: 403,
        code: 'recent_sign_in_required',
        detail: 'This needs a sign-in of the last 10 minutes.',
      };
      return isOld
        ? route.fulfill({ status: 403, contentType: 'application/problem+json', json: refusal })
        : route.continue();
    });
    await button('Sign out everywhere else').click();
    await signInDialog().getByText('Your last sign-in was more than 10 minutes ago.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByText('Session not ended').first().waitFor();
    // Who does not want to sign in again is still signed in.
    await expect
      .poll(() => page.getByText('You are signed out. Changes need a sign-in.').count())
      .toBe(0);
    await button('Sign out everywhere else').click();
    await signInDialog().getByLabel('Password').fill(PASSWORD);
    isOld = false;
    await button('Sign in').click();
    await page.getByText('Session ended').first().waitFor();
    await page.unroute('**/v1/auth/revoke-other-sessions');
    await expect.poll(() => signInDialog().count()).toBe(0);
    await openDashboard(other.page, `${docent.apiUrl}/dashboard`);
    await signedOut.waitFor();
  });

  it('keeps the page readable and the text in it if the sign-in is put off, and asks again on the next change', async () => {
    await editAndLoseSession('For later.');
    await page.keyboard.press('Escape');
    await page.getByText('You are signed out. Changes need a sign-in.').waitFor();
    await page.getByText('You are signed out. Sign in again, then repeat this.').waitFor();
    await expect.poll(() => starters().inputValue()).toBe('For later.');
    await button('Save changes').click();
    await signInDialog().waitFor();
    await signInDialog().getByLabel('Password').fill(PASSWORD);
    await button('Sign in').click();
    await page.getByText('Settings saved').waitFor();
    expect(await savedStarters()).toEqual(['For later.']);
  });

  it('shows the page that is opened after the session has ended, and recovers every tab with one sign-in', async () => {
    await open('/docent/assistant');
    const other = await page.context().newPage();
    await open('/docent/feedback', other);
    await loseSession();
    await rail('Deployments').click();
    await other
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Exports', exact: true })
      .click();
    await signInDialog(other).waitFor();
    await signInDialog().getByLabel('Password').fill(PASSWORD);
    await button('Sign in').click();
    await page.getByRole('table', { name: 'Deployments' }).waitFor();
    await signInDialog(other).waitFor({ state: 'detached' });
    await heading('Exports', other).waitFor();
    await button('Start export', other).first().waitFor();
    await other.close();
  });

  it('asks for the second factor too, and says at its field that a code is wrong', async () => {
    const { body } = await send('/v1/auth/two-factor/enable', { password: PASSWORD });
    const { totpURI: address, backupCodes } = body as { totpURI: string; backupCodes: string[] };
    recoveryCodes = backupCodes;
    const confirm = async () =>
      send('/v1/auth/two-factor/verify-totp', { code: await previousTotpOf(address) });
    // Again if the code came too late.
    await expect.poll(async () => (await confirm()).status, { timeout: 90_000 }).toBe(200);
    await editAndLoseSession('With a code.');
    await signInDialog().getByLabel('Password').fill(PASSWORD);
    await button('Sign in').click();
    const code = signInDialog().getByLabel('Code');
    await code.fill('000000');
    await button('Continue').click();
    await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true');
    expect(await code.evaluate((field) => field.parentElement?.innerText)).toMatch(/code/i);
    await enterCode(address);
    await page.getByText('Settings saved').waitFor();
    expect(await savedStarters()).toEqual(['With a code.']);
    const wanted = `${docent.apiUrl}/dashboard/${org}/docent/searches?days=7#top`;
    await loseSession();
    await page.goto(wanted);
    await heading('Sign in').waitFor();
    await signIn();
    await button('Use a recovery code').click();
    await page.getByLabel('Recovery code').fill(recoveryCodes.pop() as string);
    await button('Continue').click();
    await heading('Searches').waitFor();
    await expect.poll(() => page.url()).toBe(wanted);
    await endSecondFactor(true);
  });

  it('continues after a sign-in with an identity provider in another tab', async () => {
    await connect();
    await editAndLoseSession('From another tab.');
    const opened = page.waitForEvent('popup');
    await button('Continue with Acme ID').click();
    const tab = await opened;
    await heading('You are signed in', tab).waitFor();
    await page.getByText('Settings saved').waitFor();
    expect(await savedStarters()).toEqual(['From another tab.']);
    await tab.close();
  });

  it('leads back after single sign-on, also after an attempt that failed, and to an invitation', async () => {
    await connect();
    const wanted = `${docent.apiUrl}/dashboard/${org}/docent/searches?days=7&q=a%2Bb#top`;
    const { url: invitation } = await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' };
      const name = { name: 'Other', slug: `other-${Date.now()}` };
      const made = await fetch('/v1/organizations', {
        method: 'POST',
        headers,
        body: JSON.stringify(name),
      });
      const { slug } = (await made.json()) as { slug: string };
      const body = JSON.stringify({ email: 'grace@acme.example', role: 'viewer' });
      const inOther = { ...headers, 'docent-organization': slug };
      const answer = await fetch('/v1/organization/invitations', {
        method: 'POST',
        headers: inOther,
        body,
      });
      return (await answer.json()) as { url: string };
    });
    const known = { sub: 'ada', email: EMAIL, email_verified: true, name: 'Ada Lovelace' };
    provider.expect({ ...known, sub: 'eve', email: 'eve@evil.example' });
    await loseSession();
    await page.goto(wanted);
    await button('Continue with Acme ID').click();
    await page.getByText('You have no invitation.').waitFor();
    // The provider would sign in the same person again.
    await loseSession();
    provider.expect(known);
    await button('Continue with Acme ID').click();
    await heading('Searches').waitFor();
    await expect.poll(() => page.url()).toBe(wanted);
    await loseSession();
    provider.expect({ ...known, sub: 'grace', email: 'grace@acme.example', email_verified: false });
    await page.goto(invitation);
    await button('Continue with Acme ID').click();
    await page.getByText('has not verified your email address').waitFor();
    await loseSession();
    provider.expect(known);
    await button('Continue with Acme ID').click();
    await heading('Join Other').waitFor();
    await page.getByText(`You are signed in as ${EMAIL}.`).waitFor();
  });

  it('asks before a dialog with unsaved text is closed, by Esc, a click outside, its buttons or Back, and not after it is saved', async () => {
    await open('/docent/exports');
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await heading('Assistant keys').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    const question = page.getByRole('dialog', { name: /without saving\?$/ });
    const name = dialog.getByLabel('Name');
    await button('Create key').click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button('Create key').click();
    await name.fill('Half a name');
    const closings: (() => Promise<unknown>)[] = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 5),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.goBack(),
    ];
    for (const close of closings) {
      await close();
      await question.waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await expect.poll(() => name.inputValue()).toBe('Half a name');
      await expect
        .poll(() => dialog.evaluate((it) => it.contains(it.ownerDocument.activeElement)))
        .toBe(true);
    }
    await page.keyboard.press('Escape');
    await question.waitFor();
    // While it fades in, its contrast is lower.
    await expect.poll(() => question.evaluate((it) => it.getAnimations().length)).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    await button('Discard changes').click();
    await dialog.waitFor({ state: 'detached' });
    await question.waitFor({ state: 'detached' });
    await button('Create key').click();
    await expect.poll(() => name.inputValue()).toBe('');
    await name.fill('A whole name');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog', { name: 'Copy the key now' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('table').getByText('A whole name').first().waitFor();
  });

  it('asks before unsaved text is left, by a link, Back or closing the tab, and not after it is saved', async () => {
    await clearStarters();
    await open('/docent/conversations');
    await rail('Assistant').click();
    await starters().fill('Half a');
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await rail('Conversations').click();
    await dialog.waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button('Keep editing').click();
    await expect.poll(() => starters().inputValue()).toBe('Half a');
    await page.goBack();
    await dialog.waitFor();
    await button('Keep editing').click();
    await expect.poll(() => starters().inputValue()).toBe('Half a');
    const asked = new Promise((resolve) =>
      page.once('dialog', (native) => resolve(native.dismiss())),
    );
    await page.close({ runBeforeUnload: true });
    await asked;
    await button('Save changes').click();
    await page.getByText('Settings saved').waitFor();
    await rail('Conversations').click();
    await heading('Conversations').waitFor();
    await rail('Assistant').click();
    await starters().fill('Thrown away');
    await rail('Conversations').click();
    await button('Discard changes').click();
    await heading('Conversations').waitFor();
  });

  it('undoes a filter with Back, and takes a typed search as one step', async () => {
    await open('/docent/deployments');
    await rail('Conversations').click();
    await page.getByLabel('Period').selectOption('Last 7 days');
    await page.waitForURL('**/conversations?days=7');
    await page.goBack();
    await page.waitForURL('**/conversations');
    await rail('Analytics').click();
    await page
      .getByRole('navigation', { name: 'Analytics' })
      .getByRole('link', { name: 'Searches' })
      .click();
    await page.getByLabel('Search the list').fill('ab');
    await page.keyboard.type('cd');
    await page.waitForURL((address) => address.searchParams.get('q')?.length === 4);
    await page.goBack();
    await page.waitForURL(
      (address) => address.pathname.endsWith('/searches') && !address.searchParams.has('q'),
    );
    await page.goBack();
    await page.waitForURL('**/analytics');
    await page.goBack();
    await page.waitForURL('**/conversations');
  });

  it('keeps its frame without a connection, opens pages whose code is loaded, and loads the others once it is back', async () => {
    await open('/docent/deployments');
    await page.getByRole('table', { name: 'Deployments' }).waitFor();
    // Before the code of other pages was loaded.
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await rail('Exports').click();
    await page
      .getByText(/^You are offline[,.] /)
      .nth(1)
      .waitFor();
    await expect.poll(() => rail('Deployments').count()).toBe(1);
    await rail('Deployments').click();
    await page.getByRole('table', { name: 'Deployments' }).waitFor();
    await rail('Exports').click();
    await page.context().setOffline(false);
    await heading('Exports').waitFor();
    await button('Start export').first().waitFor();
  });

  it('caused no errors on the page but those of refused requests and the lost connection', () => {
    const expected =
      /status of 40[13]|ERR_INTERNET_DISCONNECTED|ERR_ABORTED|Failed to fetch|127\.0\.0\.1/;
    expect(faults.filter((fault) => !expected.test(fault))).toEqual([]);
  });
});
