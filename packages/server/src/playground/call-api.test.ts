import type { RequestInputs, ServerInput } from '@docent/format/api-reference/request-inputs.ts';
import { inlineJson } from '@docent/format/html.ts';
import { describe, expect, it } from 'vitest';
import { inputsOfPage, isDescribedCall } from './call-api.ts';

const servers: ServerInput[] = [
  { url: 'https://api.example.com/v1' },
  {
    url: 'https://{region}.api.example.com',
    variables: [{ name: 'region', value: 'eu', values: ['eu', 'us'] }],
  },
  { url: 'https://{tenant}.example.com', variables: [{ name: 'tenant', value: 'demo' }] },
  {
    url: 'https://{host}:{port}/x',
    variables: [
      { name: 'host', value: 'api.example.com' },
      { name: 'port', value: '8443' },
    ],
  },
  { url: 'https://api.example.com/{base}', variables: [{ name: 'base', value: 'v1' }] },
  { url: 'https://{tenant}.com', variables: [{ name: 'tenant', value: 'demo' }] },
  { url: '{scheme}://api.example.com', variables: [{ name: 'scheme', value: 'https' }] },
];
const inputs: RequestInputs = {
  method: 'GET',
  route: '/pets/{id}',
  servers,
  security: [
    [
      {
        name: 'Authorization',
        place: 'header',
        kind: 'bearer',
        oauth: [
          { kind: 'clientCredentials', tokenUrl: 'https://id.example.com/token', scopes: [] },
        ],
      },
    ],
  ],
  parameters: [],
  bodies: [],
};

function allows(
  url: string,
  index = 0,
  variables: Record<string, string> = {},
  method = 'GET',
): boolean {
  return isDescribedCall(inputs, { url, method, server: { index, variables } });
}

describe('the proxy for API calls', () => {
  it.each([
    ['https://api.example.com/v1/pets/1?x=1', 0, {}],
    ['https://us.api.example.com/pets/1', 1, { region: 'us' }],
    ['https://eu.api.example.com/pets/1', 1, {}],
    ['https://acme.example.com/pets/1', 2, { tenant: 'acme' }],
    ['https://api.example.com:8443/x/pets/1', 3, {}],
    ['https://api.example.com/v2/pets', 4, { base: 'v2' }],
    ['https://api.example.com/pets', 6, { scheme: 'https' }],
  ])('allows %s', (url, index, variables) => {
    expect(allows(url, index, variables)).toBe(true);
  });

  it.each([
    ['another host', 'https://evil.example/v1/pets/1', 0, {}],
    ['another scheme', 'http://api.example.com/v1/pets/1', 0, {}],
    ['another port', 'https://api.example.com:22/v1/pets/1', 0, {}],
    ['a path outside the server', 'https://api.example.com/v1/../admin', 0, {}],
    ['a path that only starts the same', 'https://api.example.com/v10/pets', 0, {}],
    ['credentials in the URL', 'https://a:b@api.example.com/v1/pets', 0, {}],
    [
      'a variable value that is not listed',
      'https://cn.api.example.com/pets/1',
      1,
      { region: 'cn' },
    ],
    [
      'a label that contains a host',
      'https://evil.test/.example.com/pets',
      2,
      { tenant: 'evil.test/' },
    ],
    ['a label with a dot', 'https://a.b.example.com/pets', 2, { tenant: 'a.b' }],
    ['a host chosen by the reader', 'https://evil.test:8443/x/pets', 3, { host: 'evil.test' }],
    ['a port chosen by the reader', 'https://api.example.com:22/x/pets', 3, { port: '22' }],
    ['a path of dots', 'https://api.example.com/pets', 4, { base: '..' }],
    ['a domain chosen by the reader', 'https://evil.com/pets', 5, { tenant: 'evil' }],
    ['a scheme chosen by the reader', 'http://api.example.com/pets', 6, { scheme: 'http' }],
    ['a server that is not listed', 'https://api.example.com/v1/pets', 99, {}],
    ['a URL that is not HTTP', 'javascript:alert(1)', 0, {}],
    ['a file URL', 'file:///etc/passwd', 0, {}],
  ])('rejects %s', (_, url, index, variables) => {
    expect(allows(url, index, variables)).toBe(false);
  });

  it('rejects a method other than that of the page', () => {
    expect(allows('https://api.example.com/v1/pets/1', 0, {}, 'DELETE')).toBe(false);
  });

  it('allows a POST to the token URL without a server', () => {
    expect(isDescribedCall(inputs, { url: 'https://id.example.com/token', method: 'POST' })).toBe(
      true,
    );
    expect(isDescribedCall(inputs, { url: 'https://id.example.com/token', method: 'GET' })).toBe(
      false,
    );
    expect(isDescribedCall(inputs, { url: 'https://id.example.com/token?x', method: 'POST' })).toBe(
      false,
    );
    expect(isDescribedCall(inputs, { url: 'https://api.example.com/v1/pets', method: 'GET' })).toBe(
      false,
    );
  });

  it('allows the absolute route of a hand-written page', () => {
    const byHand = { ...inputs, servers: [], route: 'https://api.example.com/users/{id}' };
    expect(isDescribedCall(byHand, { url: 'https://api.example.com/users/7', method: 'GET' })).toBe(
      true,
    );
    expect(isDescribedCall(byHand, { url: 'https://api.example.com/admin', method: 'GET' })).toBe(
      false,
    );
  });
});

describe('the request form of a page', () => {
  it('is parsed from its HTML, and is undefined if it is missing or invalid', () => {
    const html = `<p>x</p><script type="application/json" data-playground>${inlineJson(inputs)}</script><p>y</p>`;
    expect(inputsOfPage(html)).toEqual(inputs);
    expect(inputsOfPage('<p>x</p>')).toBeUndefined();
    expect(
      inputsOfPage('<script type="application/json" data-playground>{</script>'),
    ).toBeUndefined();
  });
});
