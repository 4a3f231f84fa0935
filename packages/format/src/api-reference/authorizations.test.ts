import { expect, test } from 'vitest';
import { readAuthorizations, readOAuthFlows } from './authorizations.ts';

const authorizationUrl = 'https://id.example.com/authorize';
const tokenUrl = 'https://id.example.com/token';

test('the available flows are those of OAuth 2.1, with the scopes that the operation requests', () => {
  const flows = {
    implicit: { authorizationUrl, scopes: {} },
    password: { tokenUrl, scopes: {} },
    clientCredentials: { tokenUrl, scopes: { read: 'Reads' } },
    authorizationCode: { authorizationUrl, tokenUrl, scopes: { read: 'Reads', write: 'Writes' } },
  };
  expect(readOAuthFlows({ type: 'oauth2', flows }, ['write', 'read'])).toEqual([
    { kind: 'authorizationCode', authorizationUrl, tokenUrl, scopes: ['write', 'read'] },
    { kind: 'clientCredentials', tokenUrl, scopes: ['read'] },
  ]);
});

test.each([
  ['no token URL', { authorizationCode: { authorizationUrl } }],
  ['no authorization URL', { authorizationCode: { tokenUrl } }],
  ['a token URL that runs code', { clientCredentials: { tokenUrl: 'javascript:alert(1)' } }],
  ['a token URL without a host', { clientCredentials: { tokenUrl: '/token' } }],
  [
    'an authorization URL that runs code',
    { authorizationCode: { authorizationUrl: 'javascript:alert(1)//https://', tokenUrl } },
  ],
  ['an invalid value', 7],
])('a scheme with %s has no flows', (_, flows) => {
  expect(readOAuthFlows({ type: 'oauth2', flows }, [])).toEqual([]);
});

test('the description of a credential lists the scopes of the operation with their meanings', () => {
  const flows = {
    implicit: { authorizationUrl, scopes: { read: 'Read\neverything.', write: '' } },
  };
  const root = {
    components: {
      securitySchemes: { account: { type: 'oauth2', description: 'Sign in.', flows } },
    },
  };
  const { alternatives } = readAuthorizations(
    root,
    { security: [{ account: ['read', 'write'] }] },
    false,
  );
  expect(alternatives[0]?.[0]?.description).toBe(
    'Sign in.\n\nScopes: `read` (Read everything.), `write`',
  );
});
