import { expect, test } from 'vitest';
import { readOAuthFlows } from './oauth-flows.ts';

const authorizationUrl = 'https://id.example.com/authorize';
const tokenUrl = 'https://id.example.com/token';

test('the flows that a page can run are those of OAuth 2.1, with the scopes that the operation requests', () => {
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
  ['no token address', { authorizationCode: { authorizationUrl } }],
  ['no page to sign in', { authorizationCode: { tokenUrl } }],
  ['an address that runs code', { clientCredentials: { tokenUrl: 'javascript:alert(1)' } }],
  ['an address without a host', { clientCredentials: { tokenUrl: '/token' } }],
  ['a page to sign in that runs code', { authorizationCode: { authorizationUrl: 'javascript:alert(1)//https://', tokenUrl } }],
  ['nothing of the kind', 7],
])('a scheme with %s has no flow', (_, flows) => {
  expect(readOAuthFlows({ type: 'oauth2', flows }, [])).toEqual([]);
});
