import { describe, expect, it, test } from 'vitest';
import type { BodyInput, ParameterInput, RequestInputs } from '../request-inputs.ts';
import { buildRequest, credentialText, isPickedFile, type RequestValues } from './build-request.ts';

const SERVER = 'https://api.example.com/v1/';

function inputs(more: Partial<RequestInputs> = {}): RequestInputs {
  return {
    method: 'GET',
    route: '/things',
    servers: [],
    security: [],
    parameters: [],
    bodies: [],
    ...more,
  };
}

function values(more: Partial<RequestValues> = {}): RequestValues {
  return { server: SERVER, credentials: [], parameters: new Map(), ...more };
}

function parameter(
  place: ParameterInput['place'],
  more: Partial<ParameterInput> = {},
): ParameterInput {
  return { name: 'color', place, shape: { kind: 'json' }, ...more };
}

/** The request with one parameter, and its URL after the server. */
function withParameter(one: ParameterInput, value: unknown, route = '/x') {
  const key = `${one.place} ${one.name}`;
  const request = buildRequest(
    inputs({ route, parameters: [one] }),
    values({ parameters: new Map([[key, value]]) }),
  );
  return { ...request, path: request.url.slice('https://api.example.com/v1'.length) };
}

const list = ['blue', 'black', 'brown'];
const object = { R: 100, G: 200, B: 150 };

describe('a parameter is serialized by the style rules of the OpenAPI specification', () => {
  it.each([
    [undefined, undefined, 'blue', '/x/blue'],
    [undefined, undefined, list, '/x/blue,black,brown'],
    ['simple', false, object, '/x/R,100,G,200,B,150'],
    ['simple', true, object, '/x/R=100,G=200,B=150'],
    ['label', false, 'blue', '/x/.blue'],
    ['label', true, list, '/x/.blue.black.brown'],
    ['label', true, object, '/x/.R=100.G=200.B=150'],
    ['matrix', false, 'blue', '/x/;color=blue'],
    ['matrix', false, list, '/x/;color=blue,black,brown'],
    ['matrix', true, list, '/x/;color=blue;color=black;color=brown'],
    ['matrix', false, object, '/x/;color=R,100,G,200,B,150'],
    ['matrix', true, object, '/x/;R=100;G=200;B=150'],
  ])('in the path: %s, explode %s, %j', (style, explode, value, path) => {
    const one = parameter('path', {
      ...(style && { style }),
      ...(explode !== undefined && { explode }),
    });
    expect(withParameter(one, value, '/x/{color}').path).toBe(path);
  });

  it.each([
    [undefined, undefined, 'blue', '?color=blue'],
    [undefined, undefined, list, '?color=blue&color=black&color=brown'],
    ['form', false, list, '?color=blue,black,brown'],
    ['form', true, object, '?R=100&G=200&B=150'],
    ['form', false, object, '?color=R,100,G,200,B,150'],
    ['spaceDelimited', false, list, '?color=blue%20black%20brown'],
    ['spaceDelimited', undefined, list, '?color=blue%20black%20brown'],
    ['pipeDelimited', false, list, '?color=blue%7Cblack%7Cbrown'],
    ['deepObject', true, object, '?color[R]=100&color[G]=200&color[B]=150'],
    ['deepObject', true, { a: { b: [1, 2] } }, '?color[a][b]=1&color[a][b]=2'],
  ])('in the query: %s, explode %s, %j', (style, explode, value, query) => {
    const one = parameter('query', {
      ...(style && { style }),
      ...(explode !== undefined && { explode }),
    });
    expect(withParameter(one, value).path).toBe(`/x${query}`);
  });

  it.each([
    [false, list, 'blue,black,brown'],
    [false, object, 'R,100,G,200,B,150'],
    [true, object, 'R=100,G=200,B=150'],
  ])('in a header: explode %s, %j', (explode, value, text) => {
    expect(withParameter(parameter('header', { explode }), value).headers).toEqual([
      ['color', text],
    ]);
  });

  it('as JSON if it has a content type', () => {
    const one = parameter('query', { isJson: true });
    expect(withParameter(one, { a: [1] }).path).toBe('/x?color=%7B%22a%22%3A%5B1%5D%7D');
  });
});

test('a path value stays one segment and is never interpreted as a replacement pattern', () => {
  const { path } = withParameter(parameter('path'), "../$&/a?b#c'", '/x/{color}/y');
  expect(path).toBe("/x/..%2F%24%26%2Fa%3Fb%23c'/y");
});

test('reserved characters are kept if the parameter allows them, except those that would end the value', () => {
  expect(withParameter(parameter('query', { allowReserved: true }), 'a/b:c&d=e#f').path).toBe(
    '/x?color=a/b:c%26d%3De%23f',
  );
});

test('a header value never contains a line break', () => {
  expect(withParameter(parameter('header'), 'a\r\nX-Evil: 1').headers).toEqual([
    ['color', 'a X-Evil: 1'],
  ]);
});

test('a parameter without a value is omitted, and its placeholder stays in the path', () => {
  const request = buildRequest(
    inputs({ route: '/a/{color}', parameters: [parameter('path')] }),
    values(),
  );
  expect(request).toEqual({
    method: 'GET',
    url: 'https://api.example.com/v1/a/{color}',
    headers: [],
    cookies: [],
  });
});

test('a route keeps its full URL or its own query', () => {
  const one = parameter('query');
  const filled = values({ parameters: new Map([['query color', 'x']]) });
  expect(
    buildRequest(inputs({ route: 'https://other.example/a', parameters: [one] }), filled).url,
  ).toBe('https://other.example/a?color=x');
  expect(buildRequest(inputs({ route: '/a?fixed=1', parameters: [one] }), filled).url).toBe(
    'https://api.example.com/v1/a?fixed=1&color=x',
  );
});

describe('credentials', () => {
  const bearer = { name: 'Authorization', place: 'header', kind: 'bearer' } as const;
  const basic = { name: 'Authorization', place: 'header', kind: 'basic' } as const;

  it('are sent in their declared location', () => {
    const request = buildRequest(
      inputs(),
      values({
        credentials: [
          { credential: bearer, value: { value: ' t ' } },
          { credential: { name: 'key', place: 'query', kind: 'key' }, value: { value: 'a&b' } },
          { credential: { name: 'session', place: 'cookie', kind: 'key' }, value: { value: 's' } },
          {
            credential: { name: 'X-Sign', place: 'header', kind: 'key', prefix: 'Sign ' },
            value: { value: 'v' },
          },
          { credential: { name: 'X-Empty', place: 'header', kind: 'key' }, value: { value: '' } },
        ],
      }),
    );
    expect(request.headers).toEqual([
      ['Authorization', 'Bearer t'],
      ['X-Sign', 'Sign v'],
    ]);
    expect(request.url).toBe('https://api.example.com/v1/things?key=a%26b');
    expect(request.cookies).toEqual([['session', 's']]);
  });

  it('of the basic scheme are Base64 of the UTF-8 name and password', () => {
    expect(credentialText(basic, { userName: 'Aladdin', value: 'open sesame' })).toBe(
      'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
    );
    expect(credentialText(basic, { userName: 'tëst', value: '£' })).toBe(
      `Basic ${Buffer.from('tëst:£').toString('base64')}`,
    );
    expect(credentialText(basic, { userName: '', value: '' })).toBeUndefined();
  });

  it('that already have the scheme prefix do not get it twice', () => {
    expect(credentialText(bearer, { value: 'bearer abc' })).toBe('bearer abc');
  });
});

describe('a body', () => {
  class FakeFile {
    readonly name = 'cat.png';
    readonly type = 'image/png';
    readonly size = 3;
  }
  const file = new FakeFile();
  const body = (mediaType: string, value: unknown, more: Partial<BodyInput> = {}) =>
    buildRequest(
      inputs({ method: 'POST' }),
      values({ body: { input: { mediaType, shape: { kind: 'json' }, ...more }, value } }),
    );

  it('of JSON is sent with its content type, and text is sent unchanged', () => {
    expect(body('application/json', { a: 1 })).toMatchObject({
      headers: [['Content-Type', 'application/json']],
      body: { kind: 'text', text: '{\n  "a": 1\n}' },
    });
    const text = '{"n": 12345678901234567890}';
    const input: BodyInput = { mediaType: 'application/vnd.x+json', shape: { kind: 'json' } };
    expect(buildRequest(inputs(), values({ body: { input, text } })).body).toEqual({
      kind: 'text',
      text,
    });
    expect(body('*/*', {}).headers).toEqual([['Content-Type', 'application/json']]);
  });

  it('of a form has one field per list item and JSON for an object', () => {
    expect(
      body('application/x-www-form-urlencoded', { a: [1, 'x'], o: { k: true }, t: 'ä' }).body,
    ).toEqual({
      kind: 'form',
      fields: [
        ['a', '1'],
        ['a', 'x'],
        ['o', '{"k":true}'],
        ['t', 'ä'],
      ],
    });
    const encodings = [{ name: 'o', style: 'deepObject', explode: true }];
    expect(
      body('application/x-www-form-urlencoded', { o: { k: { l: 1 } } }, { encodings }).body,
    ).toEqual({
      kind: 'form',
      fields: [['o[k][l]', '1']],
    });
  });

  it('of several parts keeps files, sets the type of objects, and leaves its own type to the client', () => {
    const encodings = [{ name: 'meta', contentType: 'application/json' }];
    const request = body(
      'multipart/form-data',
      { file, many: [file], meta: [1], o: {}, t: 'x' },
      { encodings },
    );
    expect(request.headers).toEqual([]);
    expect(request.body).toEqual({
      kind: 'multipart',
      parts: [
        { name: 'file', value: file },
        { name: 'many', value: file },
        { name: 'meta', value: '[1]', contentType: 'application/json' },
        { name: 'o', value: '{}', contentType: 'application/json' },
        { name: 't', value: 'x' },
      ],
    });
  });

  it('that is a file uses its own type if the description allows any', () => {
    expect(body('application/octet-stream', file).headers).toEqual([
      ['Content-Type', 'application/octet-stream'],
    ]);
    expect(body('image/*', file).headers).toEqual([['Content-Type', 'image/png']]);
    expect(isPickedFile({ name: 'a', size: 1, type: '' })).toBe(false);
  });
});
