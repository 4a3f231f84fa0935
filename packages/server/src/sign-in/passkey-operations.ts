import * as z from 'zod';
import * as field from '../kernel/operations/described.ts';
import { plainText } from '../kernel/operations/fields.ts';
import { type AuthOperation, done } from './auth-operations.ts';

const options = z
  .looseObject({ challenge: field.text('What the authenticator signs.') })
  .describe(
    'The options in the JSON form of Web Authentication, for `parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON`.',
  )
  .meta({
    examples: [
      { challenge: 'q3vYc0m8n1Zr5tXw', rpId: 'docs.example.com', userVerification: 'required' },
    ],
  });

const response = z
  .looseObject({ id: z.string().max(2000).describe('Identifier of the key.') })
  .describe('What the authenticator answered: `toJSON()` of the credential.');
const name = plainText(1, 100).describe('Its name in your account.');
const id = z.string().max(100).describe('`id` of the passkey.');
const passkeyId = '01K9Z5D0G4H8J2K6M1N3P5Q7RT';

const passkey = field.resource(
  'Passkey',
  'A passkey of your account.',
  {
    id: field.text('Identifier of the passkey.'),
    name: z.string().nullish().describe('Its name.'),
    createdAt: field.text('When it was added.'),
    backedUp: field.flag(
      'Whether its authenticator synchronizes it, for example between your devices.',
    ),
  },
  { id: passkeyId, name: 'Laptop', createdAt: '2026-11-21T09:00:00.000Z', backedUp: true },
);

/** Sign-in attempts with a passkey. */
export const passkeySignInOperations: readonly AuthOperation[] = [
  {
    method: 'GET',
    path: '/passkey/generate-authenticate-options',
    operationId: 'startPasskeySignIn',
    summary: 'Begin to sign in with a passkey',
    description: 'Returns what the authenticator needs. It names no account: the passkey does.',
    takesPassword: true,
    answer: options,
  },
  {
    path: '/passkey/verify-authentication',
    signsIn: 'signInWithPasskey',
    operationId: 'signInWithPasskey',
    summary: 'Sign in with a passkey',
    description:
      'Starts a session, whose cookie is in the response. A passkey stands for the password and the second factor.',
    takesPassword: true,
    body: z
      .object({ response })
      .meta({ examples: [{ response: { id: 'q3vYc0m8n1', type: 'public-key' } }] }),
  },
];

/** Operations on the passkeys of the signed-in person. */
export const passkeyOperations: readonly AuthOperation[] = [
  {
    method: 'GET',
    path: '/passkey/generate-register-options',
    operationId: 'startPasskeyRegistration',
    summary: 'Begin to add a passkey',
    description: 'Returns what the authenticator needs. Needs a sign-in of the last 10 minutes.',
    takesPassword: true,
    needsRecentSignIn: true,
    answer: options,
  },
  {
    path: '/passkey/verify-registration',
    audit: 'addPasskey',
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    description: 'Adds a passkey to your account. Needs a sign-in of the last 10 minutes.',
    takesPassword: true,
    needsRecentSignIn: true,
    body: z
      .object({ response, name })
      .meta({ examples: [{ response: { id: 'q3vYc0m8n1', type: 'public-key' }, name: 'Laptop' }] }),
  },
  {
    method: 'GET',
    path: '/passkey/list-user-passkeys',
    operationId: 'listPasskeys',
    summary: 'List your passkeys',
    description: 'Lists the passkeys of your account.',
    answer: z.array(passkey),
  },
  {
    path: '/passkey/update-passkey',
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    description: 'Changes the name of one of your passkeys.',
    body: z.object({ id, name }).meta({ examples: [{ id: passkeyId, name: 'Phone' }] }),
    answer: done,
  },
  {
    path: '/passkey/delete-passkey',
    audit: 'deletePasskey',
    operationId: 'deletePasskey',
    summary: 'Delete a passkey',
    description:
      'It no longer signs in. Sessions stay as they are. Needs a sign-in of the last 10 minutes.',
    needsRecentSignIn: true,
    body: z.object({ id }).meta({ examples: [{ id: passkeyId }] }),
    answer: done,
  },
];
