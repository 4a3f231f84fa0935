import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openDashboard,
  openPage,
  seriousFindings,
  sharedBrowser,
  signUp,
} from '../support/browser.ts';
import { fixtureSite, tarball } from '../support/http.ts';
import { createSamlProvider } from '../support/saml-provider.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 180_000 });

const ADA = { name: 'Ada Lovelace', email: 'ada@acme.example', password: 'a long passphrase' };

describe.skipIf(chromiumPath === '')('the members of an organization in the dashboard', () => {
  let docent: RunningDocent & { setupUrl: string };
  let browser: Browser;
  let page: Page;
  const org = 'acme';
  /** Differs in each attempt of each test. */
  let unique = 0;

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  const open = (path: string) => openDashboard(page, `${docent.apiUrl}/dashboard/${org}/${path}`);

  /** Sends a request as the person of a page, and returns the answer. */
  const send = (as: Page, path: string, body: object) =>
    as.evaluate(
      async ([address, text]) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(address, { method: 'POST', headers, body: text });
        if (!response.ok) throw new Error(await response.text());
        return (await response.json()) as Record<string, string>;
      },
      [path, JSON.stringify(body)] as const,
    );

  beforeAll(async () => {
    const env = { DOCENT_LIMIT_KEYS_PER_ORGANIZATION_HOUR: '1000' };
    [docent, browser] = await Promise.all([
      startDocent({ env }) as Promise<typeof docent>,
      sharedBrowser(),
    ]);
    ({ page } = await openPage(browser, docent.apiUrl));
    await signUp(page, docent, ADA);
  }, 240_000);
  afterAll(async () => {
    await closeContexts(browser);
    await docent?.stop();
    await removeTemporaryFolders();
  });

  // A failed attempt may have signed out; each test opens the page that it begins with.
  beforeEach(async () => {
    unique += 1;
    await page.context().request.post(`${docent.apiUrl}/v1/auth/sign-in/email`, {
      data: { email: ADA.email, password: ADA.password },
      headers: { origin: docent.apiUrl },
    });
  });

  /** Someone who joins as an admin, creates a key, and invites another person. */
  const newMember = async () => {
    const name = `Grace ${unique}`;
    const invited = `eve-${unique}@acme.example`;
    const { url = '' } = await send(page, '/v1/organization/invitations', {
      email: `grace-${unique}@acme.example`,
      role: 'admin',
    });
    const { page: member } = await openPage(browser, docent.apiUrl);
    await openDashboard(member, url);
    const invitation = url.split('/').at(-1);
    await send(member, `/v1/invitations/${invitation}/accept`, { name, password: ADA.password });
    const { key = '' } = await send(member, '/v1/keys', { kind: 'admin', name: 'Pipeline' });
    await send(member, '/v1/organization/invitations', { email: invited, role: 'admin' });
    return { name, member, key, invited };
  };

  it('shows who created a key and an invitation, and offers no organization that only the operator creates', async () => {
    const { name, invited } = await newMember();
    await open('settings/keys');
    await page.getByText(`by ${name}`).waitFor();
    await button('Acme').click();
    await page.getByRole('menuitem', { name: 'Acme' }).waitFor();
    await expect
      .poll(() => page.getByRole('menuitem', { name: 'New organization' }).count())
      .toBe(0);
    await page.keyboard.press('Escape');
    await open('settings/new-organization');
    await page.getByText('Only the operator of this server creates organizations').waitFor();
    await open('settings/members');
    await page.getByRole('row', { name: new RegExp(`${invited}.*${name}`) }).waitFor();
  });

  it('sends an invitation again with a new link, and revokes it', async () => {
    const email = `mallory-${unique}@acme.example`;
    await send(page, '/v1/organization/invitations', {
      email,
      role: 'viewer',
    });
    await open('settings/members');
    await button(`Send ${email} a new link`).click();
    const link = await page.getByLabel('Invitation link', { exact: true }).inputValue();
    await button('Done').click();
    const token = link.split('/').at(-1);
    expect((await fetch(`${docent.apiUrl}/v1/invitations/${token}`)).status).toBe(200);
    await button(`Revoke the invitation of ${email}`).click();
    await page.getByText('Invitation revoked').waitFor();
    expect((await fetch(`${docent.apiUrl}/v1/invitations/${token}`)).status).toBe(403);
  });

  it('signs a member out everywhere after it said what that does, and the audit log names both people', async () => {
    const { name, member } = await newMember();
    await openDashboard(member, `${docent.apiUrl}/dashboard/${org}`);
    await member.getByRole('heading', { name: 'Sites', exact: true, level: 1 }).waitFor();
    await open('settings/members');
    await button(`Sign ${name} out`).click();
    const dialog = page.getByRole('dialog', { name: `Sign ${name} out` });
    await dialog.getByText(`All sessions of ${name} end immediately`).waitFor();
    await expect.poll(() => dialog.evaluate((it) => it.getAnimations().length)).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    const session = () => member.evaluate(async () => (await fetch('/v1/projects')).status);
    expect(await session()).toBe(200);
    await button(`Sign ${name} out`).click();
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText(`${name} is signed out`).waitFor();
    await expect.poll(session).toBe(401);
    await expect.poll(() => button('Sign Ada Lovelace out').count()).toBe(0);
    await open('settings/audit-log');
    await page
      .getByRole('row')
      .filter({ hasText: `Ada Lovelace ended all sessions of ${name}` })
      .first()
      .waitFor();
  });

  it('lists the access that a member gave before it removes them, and ends it with them', async () => {
    const { name, key, invited } = await newMember();
    const status = async () =>
      (await fetch(`${docent.apiUrl}/v1/projects`, { headers: { authorization: `Bearer ${key}` } }))
        .status;
    expect(await status()).toBe(200);
    await open('settings/members');
    await button(`Remove ${name}`).click();
    const dialog = page.getByRole('dialog', { name: `Remove ${name}` });
    await dialog.getByText(`These are revoked, because ${name} created them:`).waitFor();
    await dialog.getByText(/^Key Pipeline \(svc_/).waitFor();
    await dialog.getByText(`Invitation of ${invited}`).waitFor();
    await dialog.getByLabel('Keep them').check();
    await dialog.getByText('You answer for these from now on:').waitFor();
    await dialog.getByLabel('Keep them').uncheck();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('Member removed').waitFor();
    expect(await status()).toBe(401);
    await expect.poll(() => page.getByText(invited).count()).toBe(0);
    await heading('Members').waitFor();
  });

  it('makes a site private with a password, lists the reader who signs in with it, and ends the session', async () => {
    const slug = `private-${Date.now()}`;
    await send(page, '/v1/projects', { slug });
    const { key: admin = '' } = await send(page, '/v1/keys', { kind: 'admin', name: slug });
    const authorization = `Bearer ${admin}`;
    await fetch(`${docent.apiUrl}/v1/project/${slug}/source`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/gzip' },
      body: tarball(fixtureSite('small')),
    });
    const isLive = async () => {
      const response = await fetch(`${docent.apiUrl}/v1/projects/${slug}`, {
        headers: { authorization },
      });
      return ((await response.json()) as { state: string }).state;
    };
    await expect.poll(isLive, { timeout: 120_000, interval: 500 }).toBe('live');

    await open(`${slug}/access`);
    // Without a way to sign in, nobody could read it.
    await page.getByText('set up a way to sign in first').waitFor();
    expect(await button('Make private').isDisabled()).toBe(true);
    await button('Set up Password').click();
    const dialog = page.getByRole('dialog', { name: 'Password' });
    await dialog.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await dialog.getByRole('button', { name: 'Save password' }).click();
    await dialog.waitFor({ state: 'detached' });
    await button('Change Password').waitFor();
    await button('Make private').click();
    await page.getByText('Readers sign in first').waitFor();
    await page.getByLabel('Days signed in').fill('14');
    await button('Save').click();
    await page.getByText('stay signed in for 14 days').waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    const site = `http://${slug}.localhost:${docent.port}`;
    const { page: reader } = await openPage(browser, docent.apiUrl);
    await expect
      .poll(async () => {
        await reader.goto(`${site}/guides/install?a=1`);
        return new URL(reader.url()).pathname;
      })
      .toBe('/login');
    await reader.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await reader.getByRole('button', { name: 'Sign in' }).click();
    await reader.waitForURL(`${site}/guides/install?a=1`);
    await reader.getByText('apt-get').first().waitFor();

    await open(`${slug}/access`);
    await button('End the session of a reader').click();
    await page.getByText('Nobody is signed in').waitFor();
    await expect
      .poll(async () => {
        await reader.goto(`${site}/guides/install`);
        return new URL(reader.url()).pathname;
      })
      .toBe('/login');
  });

  it('sets up single sign-on, a token of the directory and roles of groups, and undoes each', async () => {
    const provider = createSamlProvider();
    const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
    const confirm = async (title: string, action: string) => {
      await dialog(title).getByRole('button', { name: action, exact: true }).click();
      await dialog(title).waitFor({ state: 'detached' });
    };
    const scim = async (token: string) =>
      (
        await fetch(`${docent.apiUrl}/scim/v2/Groups`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    // What a failed attempt left.
    await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' };
      const body = (value: object) => ({ method: 'PATCH', headers, body: JSON.stringify(value) });
      await fetch(
        '/v1/organization/sign-in',
        body({ saml: null, oidc: null, allowedAddresses: [] }),
      );
      await fetch('/v1/organization/directory', body({ groupRoles: [] }));
      await fetch('/v1/organization/directory/token', { method: 'DELETE' });
    });
    await open('settings/sign-in');

    await button('Set up provider').click();
    const setup = dialog('Set up the provider');
    await setup.getByLabel('Entity ID').fill(provider.entityId);
    await setup.getByRole('button', { name: 'Save provider' }).click();
    await setup.getByText('Send the metadata of the provider').waitFor();
    await setup.getByLabel('Metadata of the provider').fill(provider.metadata);
    await setup.getByRole('button', { name: 'Save provider' }).click();
    await setup.waitFor({ state: 'detached' });
    await page.getByText(provider.signInUrl).waitFor();
    const reply = await page.getByLabel('Reply URL', { exact: true }).inputValue();
    expect(new URL(reply).pathname).toMatch(/^\/v1\/sign-in\/\w+\/saml$/);
    await button('Require single sign-on').click();
    await confirm('Require single sign-on', 'Require single sign-on');
    const refusal = page.getByText('Sign in through the provider once, then require it.');
    await refusal.first().waitFor();

    await button('Create token').click();
    const created = dialog('Copy the token now');
    const token = await created.getByLabel('Token', { exact: true }).inputValue();
    await created.getByRole('button', { name: 'Done' }).click();
    await created.waitFor({ state: 'detached' });
    expect(await scim(token)).toBe(200);
    await button('Replace token').click();
    await confirm('Replace the token', 'Replace token');
    const second = await created.getByLabel('Token', { exact: true }).inputValue();
    await created.getByRole('button', { name: 'Done' }).click();
    await created.waitFor({ state: 'detached' });
    expect([await scim(token), await scim(second)]).toEqual([401, 200]);

    const addresses = page.getByLabel('Addresses and ranges');
    await addresses.fill('203.0.113.0/24');
    await button('Save addresses').click();
    await page.getByText('without it you lock yourself out').first().waitFor();
    await addresses.fill('203.0.113.0/24\n127.0.0.0/8\n::1');
    await button('Save addresses').click();
    await page.getByText('Addresses saved').first().waitFor();

    await button('Add a group').click();
    await page.getByLabel('Group 1', { exact: true }).fill('Docs team');
    await page.getByLabel('Role of group 1', { exact: true }).selectOption('admin');
    await button('Save roles').click();
    await page.getByText('Roles saved').first().waitFor();
    await open('settings/sign-in');
    await expect
      .poll(() => page.getByLabel('Group 1', { exact: true }).inputValue())
      .toBe('Docs team');
    await expect
      .poll(() => page.getByLabel('Role of group 1', { exact: true }).inputValue())
      .toBe('admin');
    expect(await addresses.inputValue()).toBe('203.0.113.0/24\n127.0.0.0/8\n::1');
    expect(await seriousFindings(page)).toEqual([]);
    await addresses.fill('');
    await button('Save addresses').click();

    const { page: stranger } = await openPage(browser, docent.apiUrl);
    await openDashboard(stranger, `${docent.apiUrl}/dashboard/sign-in`);
    await stranger.getByRole('button', { name: 'Sign in with your organization' }).click();
    const identifier = stranger.getByLabel('Identifier of the organization');
    const next = stranger.getByRole('button', { name: 'Continue to its provider' });
    await identifier.fill('nobody');
    await next.click();
    await stranger.getByText('There is no organization with a provider').waitFor();
    await identifier.fill(org);
    const isAtProvider = stranger.waitForRequest((request) =>
      request.url().startsWith(provider.signInUrl),
    );
    await next.click();
    await isAtProvider;

    await button('Delete token').click();
    await confirm('Delete the token', 'Delete token');
    await button('Create token').waitFor();
    expect(await scim(second)).toBe(401);
    await button('Change provider').click();
    const change = dialog('Change the provider');
    await change.getByLabel('Protocol').selectOption('oidc');
    await change.getByLabel('Issuer').fill('http://id.example.com');
    await change.getByLabel('Client ID').fill('docent');
    await change.getByRole('button', { name: 'Save provider' }).click();
    await change.getByText('Must be an https address.').waitFor();
    await change.getByLabel('Issuer').fill('https://id.example.com');
    await change.getByRole('button', { name: 'Save provider' }).click();
    await change.waitFor({ state: 'detached' });
    const redirect = await page.getByLabel('Redirect URL', { exact: true }).inputValue();
    expect(new URL(redirect).pathname).toMatch(/^\/v1\/sign-in\/\w+\/oidc$/);
    await button('Remove provider').click();
    await confirm('Remove the provider', 'Remove provider');
    await button('Set up provider').waitFor();
    await expect.poll(() => page.getByText(provider.signInUrl).count()).toBe(0);
  });

  it('offers to sign out on every page, in the menu of the account', async () => {
    const account = page.locator('button[title="Account"]:visible');
    const signOut = page.getByRole('menuitem', { name: 'Sign out' });
    for (const path of ['', 'settings/keys', 'settings/members', 'audit-log']) {
      await open(path);
      await account.click();
      await signOut.waitFor();
      await page.keyboard.press('Escape');
    }
    await account.click();
    await signOut.click();
    await page.waitForURL('**/dashboard/sign-in');
    expect(
      (await page.context().cookies()).filter(({ name }) => name.endsWith('.session')),
    ).toEqual([]);
  });
});
