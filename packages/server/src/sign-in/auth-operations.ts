import {
  addressAfterSignUp,
  isReturnAddress,
  signInAddress,
} from '@docent/format/access/return-address.ts';
import * as z from 'zod';
import * as field from '../kernel/operations/described.ts';
import { emailAddress, newPassword, personName } from '../kernel/operations/fields.ts';
import { SSO_PROVIDER } from '../ports/accounts.ts';

/** An operation below `/v1/auth` that the accounts adapter performs. */
export interface AuthOperation {
  /** `POST` by default. */
  method?: 'GET';
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** Whether it is refused if password sign-in is off. */
  takesPassword?: true;
  /** Whether a signed-in person enters their password for it. */
  confirmsPassword?: true;
  /** Whether it needs a sign-in of the last minutes. */
  needsRecentSignIn?: true;
  body?: z.ZodType;
  /** Where an identity provider leads back to, except for the `callbackURL` of the body. */
  callbacks?: (callbackURL: string) => { newUserCallbackURL?: string; errorCallbackURL: string };
  /** Its name in the audit log if it signs in. */
  signsIn?: string;
  /**
   * Its name in the audit log if a signed-in person performs it; if absent, it is not logged there.
   */
  audit?: string;
  /** `done` by default. */
  answer?: z.ZodType;
}

export const done = field.resource(
  'Done',
  'Done.',
  { success: field.flag('Always `true`.') },
  { success: true },
);

const password = z.string().max(1000).describe('Your password.');
const code = z.string().max(20).describe('The six digits in the authenticator app.');
const backupCodes = field.texts(
  'Recovery codes, each for one sign-in without the app. They are shown only now.',
);

const session = field.resource(
  'AccountSession',
  'A session of your account.',
  {
    id: field.text('Identifier of the session.'),
    token: field.text('Identifies the session when you revoke it. It grants no access.'),
    createdAt: field.text('When it began.'),
    updatedAt: field.text('When it was last used, to the day.'),
    expiresAt: field.text('When it expires if it is not used.'),
    ipAddress: z.string().nullish().describe('IP address that started it.'),
    userAgent: z.string().nullish().describe('Browser that started it.'),
  },
  {
    id: '01K9Z5D0G4H8J2K6M1N3P5Q7RT',
    token: 'q3vYc0m8n1',
    createdAt: '2026-11-21T09:00:00.000Z',
    updatedAt: '2026-11-22T09:00:00.000Z',
    expiresAt: '2026-12-22T09:00:00.000Z',
    ipAddress: '203.0.113.7',
    userAgent: 'Mozilla/5.0',
  },
);

export const signedIn = field.resource(
  'SignedIn',
  'The cookie of the response is the session.',
  {
    twoFactorRedirect: field.flag.optional(
      '`true` if the account needs a second factor: send its code to `/v1/auth/two-factor/verify-totp`.',
    ),
  },
  { twoFactorRedirect: true },
);

export const ssoProvider = z
  .literal(SSO_PROVIDER)
  .describe('The provider: `id` of `signIn.sso` in `GET /v1/session`.');
const ssoBody = field.resource(
  'SingleSignOnStart',
  'The provider, and the page to return to.',
  {
    provider: ssoProvider,
    callbackURL: z
      .string()
      .max(2000)
      .refine(isReturnAddress, 'must be a path of the dashboard')
      .describe('Page of the dashboard to go to afterwards: its path, query string and hash.'),
  },
  { provider: SSO_PROVIDER, callbackURL: '/dashboard' },
);
const ssoAnswer = z
  .object({ url: field.text('Address of the provider to open in the browser.') })
  .meta({
    examples: [{ url: 'https://id.acme.example/authorize?client_id=docent&state=q3vYc0m8n1' }],
  });

/** Sign-in attempts: they need no session, and are rate-limited. */
export const signInOperations: readonly AuthOperation[] = [
  {
    path: '/sign-in/social',
    operationId: 'startSingleSignOn',
    summary: 'Sign in with an identity provider',
    description:
      'Returns the address of the provider, which redirects back with a session, or to the sign-in page with the reason in `error` and the page to return to in `next`.',
    body: ssoBody,
    callbacks: (page) => ({
      newUserCallbackURL: addressAfterSignUp(page),
      errorCallbackURL: signInAddress(page),
    }),
    answer: ssoAnswer,
  },
  {
    path: '/sign-in/email',
    signsIn: 'signInWithPassword',
    operationId: 'signIn',
    summary: 'Sign in with a password',
    description:
      'Starts a session, whose cookie is in the response. Accounts with a second factor must then send its code.',
    takesPassword: true,
    body: z
      .object({
        email: emailAddress,
        password,
        rememberMe: field.flag.optional(
          '`false` ends the session with the browser. By default it lasts 30 days.',
        ),
      })
      .meta({ examples: [{ email: 'ada@acme.example', password: 'a long passphrase' }] }),
    answer: signedIn,
  },
  {
    path: '/two-factor/verify-totp',
    signsIn: 'signInWithCode',
    audit: 'enableTwoFactor',
    operationId: 'verifySecondFactor',
    summary: 'Enter a code of the authenticator app',
    description: 'Completes a sign-in, or confirms a newly connected app.',
    body: z
      .object({
        code,
        trustDevice: field.flag.optional('Whether to trust this browser for 30 days.'),
      })
      .meta({ examples: [{ code: '492039' }] }),
  },
  {
    path: '/two-factor/verify-backup-code',
    signsIn: 'signInWithRecoveryCode',
    operationId: 'useRecoveryCode',
    summary: 'Sign in with a recovery code',
    description:
      'Completes a sign-in without the authenticator app. Each recovery code works once.',
    body: z
      .object({ code: z.string().max(50).describe('A recovery code.') })
      .meta({ examples: [{ code: 'k3m9x-7pq2r-vt4wz-bn8dh-5cjfe' }] }),
  },
];

/** Operations that require a session. */
export const accountOperations: readonly AuthOperation[] = [
  {
    path: '/link-social',
    operationId: 'connectSingleSignOn',
    summary: 'Connect an identity provider',
    description:
      'Returns the address of the provider. Afterwards you can sign in with it; its address must be the one of your account. Needs a sign-in of the last 10 minutes.',
    needsRecentSignIn: true,
    body: ssoBody,
    callbacks: () => ({ errorCallbackURL: '/dashboard/account/security' }),
    answer: ssoAnswer,
  },
  {
    path: '/sign-out',
    audit: 'signOut',
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session.',
  },
  {
    method: 'GET',
    path: '/list-sessions',
    operationId: 'listSessions',
    summary: 'List your sessions',
    description: 'Lists the sessions of your account.',
    answer: z.array(session),
  },
  {
    path: '/revoke-session',
    audit: 'revokeSession',
    operationId: 'revokeSession',
    summary: 'Revoke a session',
    description: 'Ends one of your sessions at once. Needs a sign-in of the last 10 minutes.',
    needsRecentSignIn: true,
    body: z
      .object({ token: z.string().max(200).describe('`token` of the session.') })
      .meta({ examples: [{ token: 'q3vYc0m8n1' }] }),
  },
  {
    path: '/revoke-other-sessions',
    audit: 'revokeOtherSessions',
    operationId: 'revokeOtherSessions',
    summary: 'Sign out everywhere else',
    description: 'Ends all other sessions of your account. Needs a sign-in of the last 10 minutes.',
    needsRecentSignIn: true,
  },
  {
    path: '/change-password',
    audit: 'changePassword',
    operationId: 'changePassword',
    summary: 'Change your password',
    description: 'Sets a new password.',
    takesPassword: true,
    confirmsPassword: true,
    body: z
      .object({
        currentPassword: password,
        newPassword,
        revokeOtherSessions: field.flag.optional('Whether to end your other sessions.'),
      })
      .meta({
        examples: [
          {
            currentPassword: 'a long passphrase',
            newPassword: 'another long passphrase',
            revokeOtherSessions: true,
          },
        ],
      }),
  },
  {
    path: '/update-user',
    operationId: 'changeAccount',
    summary: 'Change your name',
    description: 'Changes the name that others see.',
    body: z.object({ name: personName }).meta({ examples: [{ name: 'Ada King' }] }),
  },
  {
    path: '/two-factor/enable',
    operationId: 'enableTwoFactor',
    summary: 'Connect an authenticator app',
    description:
      'Returns the address for the app and the recovery codes. Two-factor authentication is on once the first code of the app is entered.',
    confirmsPassword: true,
    body: z.object({ password }).meta({ examples: [{ password: 'a long passphrase' }] }),
    answer: z
      .object({
        totpURI: field.text('Address with the key for the app (`otpauth:`), to show as a QR code.'),
        backupCodes,
      })
      .meta({
        examples: [
          {
            totpURI: 'otpauth://totp/Docent:ada@acme.example?secret=…&issuer=Docent',
            backupCodes: ['k3m9x-7pq2r-vt4wz-bn8dh-5cjfe'],
          },
        ],
      }),
  },
  {
    path: '/two-factor/disable',
    audit: 'disableTwoFactor',
    operationId: 'disableTwoFactor',
    summary: 'Turn off two-factor authentication',
    description: 'Disconnects the authenticator app and makes the recovery codes invalid.',
    confirmsPassword: true,
    body: z.object({ password }).meta({ examples: [{ password: 'a long passphrase' }] }),
  },
  {
    path: '/two-factor/generate-backup-codes',
    audit: 'createRecoveryCodes',
    operationId: 'createRecoveryCodes',
    summary: 'Get new recovery codes',
    description: 'Returns new recovery codes; the previous ones are no longer valid.',
    confirmsPassword: true,
    body: z.object({ password }).meta({ examples: [{ password: 'a long passphrase' }] }),
    answer: z
      .object({ backupCodes })
      .meta({ examples: [{ backupCodes: ['k3m9x-7pq2r-vt4wz-bn8dh-5cjfe', 'mN2pQ-5rS8t'] }] }),
  },
];
