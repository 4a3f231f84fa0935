import { describe, expect, it } from 'vitest';
import { applyOverlays } from './apply-overlays.ts';

const API = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://old.example.com' }],
  paths: {
    '/orders': {
      get: { summary: 'Orders', tags: ['a', 'b', 'c'] },
      post: { summary: 'New order', 'x-internal': true },
    },
    '/admin': { get: { summary: 'Admin', 'x-internal': true } },
  },
};

function apply(
  actions: unknown,
  more: { version?: unknown; isNamed?: boolean; api?: string; file?: string } = {},
) {
  const {
    version = '1.1.0',
    isNamed = true,
    api = JSON.stringify(API),
    file = 'openapi.json',
  } = more;
  const text =
    typeof actions === 'string' ? actions : JSON.stringify({ overlay: version, info: {}, actions });
  const { text: shown, diagnostics } = applyOverlays(api, file, [
    { file: 'overlay.json', text, isNamed },
  ]);
  return {
    api:
      shown === undefined ? undefined : (JSON.parse(shown) as typeof API & Record<string, unknown>),
    diagnostics,
  };
}

describe('an overlay', () => {
  it('merges objects, appends to lists, and replaces other values', () => {
    const { api, diagnostics } = apply([
      { target: '$.info', update: { title: 'Market', contact: { name: 'Us' } } },
      {
        target: '$',
        update: { servers: [{ url: 'https://new.example.com' }], tags: [{ name: 'x' }] },
      },
      { target: "$.paths['/orders'].get.tags", update: 'd' },
      { target: '$.paths.*.get.summary', update: 'Read' },
    ]);
    expect(diagnostics).toEqual([]);
    expect(api?.info).toEqual({ title: 'Market', version: '1', contact: { name: 'Us' } });
    expect(api?.servers.map(({ url }) => url)).toEqual([
      'https://old.example.com',
      'https://new.example.com',
    ]);
    expect(api?.paths['/orders'].get).toEqual({ summary: 'Read', tags: ['a', 'b', 'c', 'd'] });
    expect(api?.paths['/admin'].get.summary).toBe('Read');
  });

  it('removes members and items, several at once', () => {
    const { api } = apply([
      { target: "$.paths['/orders'].get.tags[0,2]", remove: true },
      { target: '$.paths[*][?@.x-internal == true]', remove: true },
      { target: '$.paths[?!@.get]', remove: true },
    ]);
    expect(api?.paths).toEqual({ '/orders': { get: { summary: 'Orders', tags: ['b'] } } });
  });

  it('renames by copying and removing', () => {
    const { api } = apply([
      { target: '$.paths', update: { '/sales': {} } },
      { target: "$.paths['/sales']", copy: "$.paths['/orders']" },
      { target: "$.paths['/orders']", remove: true },
    ]);
    expect(Object.keys(api?.paths ?? {})).toEqual(['/admin', '/sales']);
    expect(api?.paths).toMatchObject({ '/sales': { get: { summary: 'Orders' } } });
  });

  it('can be written in YAML for a description in YAML', () => {
    const overlay =
      'overlay: 1.0.0\nactions:\n  - target: $.info\n    update:\n      title: Better\n';
    const { api } = apply(overlay, {
      api: 'openapi: 3.1.0\ninfo:\n  title: Plain\n',
      file: 'openapi.yaml',
    });
    expect(api?.info).toEqual({ title: 'Better' });
  });

  it('that matches nothing changes nothing', () => {
    expect(apply([{ target: '$.gone.too', update: { a: 1 } }])).toEqual({
      api: API,
      diagnostics: [],
    });
  });

  it.each<[string, unknown, string]>([
    [
      'an unsupported version',
      { version: '2.0.0' },
      'version 2.0.0 of the Overlay Specification is not supported',
    ],
    ['no version', { version: '' }, 'version (none)'],
  ])('with %s is rejected', (_, more, reason) => {
    const { api, diagnostics } = apply([], more as { version: string });
    expect(api).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { severity: 'error', code: 'overlay-failed', file: 'overlay.json' },
    ]);
    expect(diagnostics[0]?.message).toContain(reason);
  });

  it.each<[string, unknown, string]>([
    ['an action without a target', [{ update: {} }], 'action 1: it has no "target"'],
    [
      'an action without an effect',
      [{ target: '$.info', update: {} }, { target: '$.info' }],
      'action 2: it has no "update"',
    ],
    ['an invalid path', [{ target: 'info', update: {} }], 'action 1: a JSONPath begins with "$"'],
    [
      'a copy from a missing path',
      [{ target: '$.info', copy: '$.gone' }],
      'action 1: "$.gone" matches nothing',
    ],
    [
      'an action that removes the whole description',
      [{ target: '$', remove: true }],
      'action 1: the whole description cannot be removed',
    ],
    [
      'a value in place of the whole description',
      [{ target: '$', update: 1 }],
      'can only be updated with an object',
    ],
    ['too many actions', Array.from({ length: 2001 }, () => ({})), 'it has 2001 actions'],
    [
      'an update that adds too much',
      [{ target: '$..*', update: { x: 'x'.repeat(3_000_000) } }],
      'action 1: it adds too much',
    ],
    ['invalid JSON', '{', 'JSON'],
    ['a list instead of an object', '[]', 'not an object'],
  ])(
    'with %s fails with a reason, and the description is only used if it does not name the overlay',
    (_, actions, reason) => {
      const named = apply(actions);
      expect(named.api).toBeUndefined();
      expect(named.diagnostics[0]?.message).toContain(reason);
      const other = apply(actions, { isNamed: false });
      expect(other.api).toEqual(API);
      expect(other.diagnostics).toMatchObject([{ severity: 'warning' }]);
    },
  );

  it('cannot change the prototype of objects', () => {
    const { api } = apply(
      '{"overlay":"1.0.0","actions":[{"target":"$.info","update":{"__proto__":{"polluted":true}}}]}',
    );
    expect(api?.info).toEqual(API.info);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
