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
import { call, fetchSite, fixtureSite, tarball } from '../support/http.ts';
import { OIDC_CLIENT, startOidcProvider } from '../support/oidc-provider.ts';
import { linksIn, startSmtpServer } from '../support/smtp-server.ts';
import {
  freePort,
  type RunningDocent,
  removeTemporaryFolders,
  runDocent,
  startDocent,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 180_000 });

const ADA = { name: 'Ada Lovelace', email: 'ada@acme.example', password: 'a long passphrase' };
const NEXT = 'another long passphrase';

describe.skipIf(chromiumPath === '')(
  'the dashboard with a mail server and an identity provider',
  () => {
    let docent: RunningDocent & { setupUrl: string };
    let provider: Awaited<ReturnType<typeof startOidcProvider>>;
    let mail: Awaited<ReturnType<typeof startSmtpServer>>;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      const port = await freePort();
      provider = await startOidcProvider(`http://localhost:${port}/v1/auth/callback/oidc`);
      mail = await startSmtpServer();
      const env = {
        DOCENT_OIDC_ISSUER: provider.issuer,
        DOCENT_OIDC_CLIENT_ID: OIDC_CLIENT.clientId,
        DOCENT_OIDC_CLIENT_SECRET: OIDC_CLIENT.clientSecret,
        DOCENT_OIDC_NAME: 'Acme ID',
        DOCENT_SMTP_URL: `smtp://${mail.host}`,
        DOCENT_MAIL_FROM: 'docs@acme.example',
      };
      [docent, browser] = await Promise.all([
        startDocent({ port, env }) as Promise<typeof docent>,
        sharedBrowser(),
      ]);
      ({ page } = await openPage(browser, docent.apiUrl));
      await signUp(page, docent, ADA);
    }, 240_000);
    afterAll(async () => {
      await closeContexts(browser);
      await docent?.stop();
      await provider?.stop();
      await mail?.stop();
      await removeTemporaryFolders();
    });

    /** Differs in each attempt of each test. */
    let unique = 0;
    beforeEach(async () => {
      unique += 1;
      mail.mails.length = 0;
      await page.context().clearCookies();
      const signIn = (password: string) =>
        page.context().request.post(`${docent.apiUrl}/v1/auth/sign-in/email`, {
          data: { email: ADA.email, password },
          headers: { origin: docent.apiUrl },
        });
      if (!(await signIn(ADA.password)).ok()) expect((await signIn(NEXT)).ok()).toBe(true);
    });

    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
    const open = (path: string) => openDashboard(page, `${docent.apiUrl}/dashboard${path}`);
    const signOut = async () => {
      await page.context().clearCookies();
      await open('/sign-in');
      await heading('Sign in').waitFor();
    };
    const mailTo = (address: string) =>
      vi.waitUntil(() => mail.mails.find(({ to }) => to.includes(address)), { timeout: 60_000 });

    it('creates a key for the commands of a new site, and publishes the sample with one button', async () => {
      await call(docent, docent.adminKey, 'DELETE', '/v1/projects/sample?confirm=sample');
      await open('/acme');
      await page.getByRole('link', { name: 'New site', exact: true }).click();
      await button('Create a key for it').click();
      const command = await page.getByText(/DOCENT_API_KEY=svc_\w/).innerText();
      const key = /svc_\w+/.exec(command)?.[0] as string;
      expect((await call(docent, key, 'GET', '/v1/projects')).status).toBe(200);
      await button('Use the sample').click();
      await button('Publish').click();
      await heading('Uploaded by Ada Lovelace').waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      expect(await (await fetchSite(docent, 'sample', '/quickstart')).text()).toContain(
        'Change a page and publish it',
      );
    });

    it('shows a QR code to connect an authenticator app', async () => {
      await open('/account/security');
      await button('Set up').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Password').fill(ADA.password);
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByRole('img', { name: 'QR code with the key' }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
    });

    it('mails a single-use link to reset a password despite a busy mail server, and accepts the new password', async () => {
      mail.refuse(1);
      await signOut();
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      // The page before has a field with the same label.
      await heading('Forgot your password?').waitFor();
      await page.getByLabel('Email').fill(ADA.email);
      expect(await seriousFindings(page)).toEqual([]);
      await button('Send link').click();
      await page.getByRole('status').getByText('is on its way').waitFor();
      const { text } = await mailTo(ADA.email);
      const link = linksIn(text)[0] as string;
      await openDashboard(page, link);
      await page.getByText('It is for ada@acme.example.').waitFor();
      const field = page.getByLabel('New password');
      await field.fill(NEXT);
      await button('Show the characters').click();
      await expect.poll(() => field.getAttribute('type')).toBe('text');
      await button('Show the characters').click();
      await expect.poll(() => field.getAttribute('type')).toBe('password');
      await button('Set password').click();
      await heading('Sign in').waitFor();
      await page.getByRole('status').getByText('Your new password is set.').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await openDashboard(page, link);
      await heading('This link is not valid').waitFor();
      await expect.poll(() => page.getByLabel('New password').count()).toBe(0);
      await page.getByRole('link', { name: 'Request a new link' }).click();
      await heading('Forgot your password?').waitFor();
      await open('/sign-in');
      await page.getByLabel('Email').fill(ADA.email);
      await page.getByLabel('Password').fill(NEXT);
      await button('Sign in').click();
      await heading('Sites').waitFor();
    });

    it('changes the email address of a person once they open the link that the new address got', async () => {
      const email = `ada-${unique}@acme.example`;
      await open('/account/profile');
      await page.getByLabel('New email address').fill(email);
      expect(await seriousFindings(page)).toEqual([]);
      await button('Send link').click();
      await page.getByRole('status').getByText(`A link is on its way to ${email}.`).waitFor();
      const { text } = await mailTo(email);
      expect((await mailTo(ADA.email)).text).toContain('was not you');
      const link = linksIn(text)[0] as string;
      await openDashboard(page, link);
      await button('Use this address').click();
      await heading('Your email address is changed').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Open the dashboard' }).click();
      await heading('Sites').waitFor();
      await open('/account/profile');
      await expect.poll(() => page.getByLabel('Email', { exact: true }).inputValue()).toBe(email);
      await openDashboard(page, link);
      await button('Use this address').click();
      await heading('Your email address is not changed').waitFor();
      await page.getByText('expired or was used already').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Open your account' }).click();
      await heading('Profile').waitFor();
      const back = await runDocent(['users', 'email', email, ADA.email], {
        DOCENT_DATA: docent.dataFolder,
      });
      expect(back).toMatchObject({ code: 0 });
    });

    it('mails an invitation, and lets only the invited person in through the identity provider, with their role', async () => {
      const email = `grace-${unique}@acme.example`;
      await open('/acme/settings/members');
      await button('Invite').click();
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Role', { exact: true }).selectOption('editor');
      await button('Send invitation').click();
      await page.getByRole('dialog', { name: 'Invitation sent' }).waitFor();
      const { text } = await mailTo(email);
      expect(text).toContain('"Ada Lovelace" invites you');
      const link = linksIn(text)[0] as string;
      provider.expect({ sub: 'eve', email: 'eve@evil.example', email_verified: true, name: 'Eve' });
      await signOut();
      await button('Continue with Acme ID').click();
      await page.getByText('You have no invitation.').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.context().clearCookies();
      provider.expect({
        sub: email,
        email,
        email_verified: true,
        name: 'Grace Hopper',
      });
      await openDashboard(page, link);
      await page.getByText(`Ada Lovelace invites ${email} with the role editor.`).waitFor();
      await button('Continue with Acme ID').click();
      await heading('Sites').waitFor();
      await open('/invite/no-such-invitation');
      await heading('This invitation is not valid').waitFor();
      await open('/account/security');
      await page.getByText('Connected', { exact: true }).waitFor();
      await expect.poll(() => page.getByLabel('Current password').count()).toBe(0);
      await open('/acme/settings/general');
      await page.getByText('Acme ID', { exact: true }).waitFor();
      await expect.poll(() => button('Save changes').count()).toBe(0);
    });

    it('shows a preview only with its password', async () => {
      const archive = tarball(fixtureSite('small'));
      const headers = {
        authorization: `Bearer ${docent.adminKey}`,
        'content-type': 'application/gzip',
      };
      const branch = `next-${unique}`;
      const made = await call(docent, docent.adminKey, 'POST', '/v1/projects/docent/previews', {
        branch,
        password: 'open sesame',
      });
      expect(made.status).toBeLessThan(300);
      await fetch(`${docent.apiUrl}/v1/project/docent/source?preview=${branch}`, {
        method: 'PUT',
        headers,
        body: archive,
      });
      const address = `http://${branch}--docent.localhost:${docent.port}/`;
      await vi.waitUntil(
        async () => (await fetchSite(docent, `${branch}--docent`, '/')).status === 403,
        { timeout: 60_000 },
      );
      await page.goto(address);
      await page.getByLabel('Password').fill('open barley');
      await page.keyboard.press('Enter');
      await page.getByText('The password is wrong.').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByLabel('Password').fill('open sesame');
      await page.keyboard.press('Enter');
      await page.waitForURL(address);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expect.poll(() => page.getByLabel('Password').count()).toBe(0);
    });
  },
);
