import { describe, expect, it } from 'vitest';
import type { NavigationSource, OpenApiSource } from '../docs-json/site-config.ts';
import { DocentError } from '../errors.ts';
import type { ApiPageRef } from '../generated-page.ts';
import { buildNavigation } from './build-navigation.ts';
import type { NavigationNode } from './navigation.ts';
import type { NavigationContext } from './navigation-context.ts';

function operation(
  method: string,
  route: string,
  source: OpenApiSource,
  more: Partial<ApiPageRef> = {},
): ApiPageRef {
  const path = `${source.directory ?? 'api-reference'}/${method.toLowerCase()}${route.replace(/[{}]/g, '').replaceAll('/', '-')}`;
  return { path, method, route, title: `${method} ${route}`, source: source.source, ...more };
}

function apiPages(source: OpenApiSource): ApiPageRef[] {
  if (source.source === 'users.json') {
    return [
      operation('GET', '/users', source, { group: 'Users' }),
      operation('GET', '/health', source),
      operation('GET', '/users/{id}', source, { group: 'Users' }),
      operation('DELETE', '/users/{id}', source, { group: 'Users', hidden: true }),
      operation('WEBHOOK', 'user.created', source, { group: 'Events' }),
    ];
  }
  return source.source === 'orders.json' ? [operation('GET', '/orders', source)] : [];
}

function build(source: NavigationSource, context: Partial<NavigationContext> = {}) {
  return buildNavigation(source, {
    file: 'docs.json',
    hasPage: (path) => !path.includes('missing'),
    isPublic: () => true,
    apiPages,
    symbolPages: () => [],
    subjectOf: () => undefined,
    operationOf: () => undefined,
    defaultOpenApi: [],
    ...context,
  });
}

/** The tree in short form: `tab:Guides[Start(a b)]`. */
function outline(nodes: readonly NavigationNode[]): string {
  return nodes
    .map((node) => {
      if (node.kind === 'page') return node.path;
      const inside = outline(node.children);
      return node.kind === 'group'
        ? `${node.label}(${inside})`
        : `${node.kind}:${node.label}[${inside}]`;
    })
    .join(' ');
}

describe('buildNavigation', () => {
  it('reports a missing page once, at its first occurrence', () => {
    const { diagnostics } = build({
      pages: ['index', 'missing', '/missing.mdx'],
      groups: [{ group: 'G', pages: ['missing'] }],
    });
    expect(diagnostics.map((one) => [one.code, one.message.match(/\(.*\)/)?.[0]])).toEqual([
      ['missing-page', '(navigation.pages[1])'],
    ]);
  });

  it('keeps an icon style other than the default', () => {
    const { navigation } = build({
      groups: [
        { group: 'A', icon: 'house', iconType: 'regular', pages: ['index'] },
        { group: 'B', icon: { name: 'star', style: 'brands' }, pages: ['index'] },
        { group: 'C', icon: '/icons/a.svg', iconType: 'regular', pages: ['index'] },
      ],
    });
    expect(navigation.roots.map((node) => node.kind === 'group' && node.icon)).toEqual([
      'regular:house',
      'brands:star',
      '/icons/a.svg',
    ]);
  });

  it.each([
    ['pages', { pages: ['a', 'b'] }, 'a b'],
    [
      'groups with nested groups',
      { groups: [{ group: 'G', pages: ['a', { group: 'H', pages: ['b'] }] }] },
      'G(a H(b))',
    ],
    ['a bare list of groups', { pages: [{ group: 'G', pages: ['a'] }] }, 'G(a)'],
    [
      'languages > versions > tabs > menu > groups',
      {
        languages: [
          {
            language: 'fr',
            versions: [
              {
                version: '1',
                tabs: [{ tab: 'T', menu: [{ item: 'M', groups: [{ group: 'G', pages: ['a'] }] }] }],
              },
            ],
          },
        ],
      },
      'language:Français[version:1[tab:T[menu:M[G(a)]]]]',
    ],
    [
      'tabs > versions > dropdowns > anchors',
      {
        tabs: [
          {
            tab: 'T',
            versions: [
              {
                version: '1',
                dropdowns: [{ dropdown: 'D', anchors: [{ anchor: 'A', pages: ['a'] }] }],
              },
            ],
          },
        ],
      },
      'tab:T[version:1[dropdown:D[anchor:A[a]]]]',
    ],
    [
      'products with mixed kinds',
      { products: [{ product: 'P', pages: ['a'], groups: [{ group: 'G', pages: ['b'] }] }] },
      'product:P[a G(b)]',
    ],
    ['nested lists, as references create them', { pages: ['a', ['b', ['c']]] }, 'a b c'],
  ])('reads %s', (_, source, expected) => {
    const { navigation, diagnostics } = build(source);
    expect(outline(navigation.roots)).toBe(expected);
    expect(diagnostics).toEqual([]);
  });

  it('accepts page paths in any spelling and the index page of a folder', () => {
    const files = new Set(['guides/start', 'index', 'api/index', 'notes']);
    const { pagePaths, diagnostics } = build(
      { pages: ['/guides/start.mdx', './guides/start/', '/', 'api', 'notes.md'] },
      { hasPage: (path) => files.has(path) },
    );
    expect(pagePaths).toEqual(['guides/start', 'index', 'api/index', 'notes']);
    expect(diagnostics.map(({ code }) => code)).toEqual(['repeated-page']);
  });

  it('omits entries without a page and their empty parents, and reports their places', () => {
    const { navigation, diagnostics } = build(
      {
        tabs: [
          { tab: 'A', groups: [{ group: 'G', pages: ['a', 'missing'] }] },
          { tab: 'B', pages: ['missing-too'] },
        ],
      },
      { placeOf: (_, key) => ({ file: 'docs.json', line: Number(key) + 10, column: 1 }) },
    );
    expect(outline(navigation.roots)).toBe('tab:A[G(a)]');
    expect(diagnostics).toMatchObject([
      {
        code: 'missing-page',
        severity: 'warning',
        file: 'docs.json',
        line: 11,
        message: expect.stringContaining('navigation.tabs[0].groups[0].pages[1]'),
      },
      { code: 'missing-page', remedy: expect.stringContaining('missing-too.mdx') },
    ]);
  });

  it('stops the build if no page remains', () => {
    const attempt = () => build({ groups: [{ group: 'G', pages: ['missing'] }] });
    expect(attempt).toThrow(DocentError);
    expect(attempt).toThrow(/No entry of the navigation/);
  });

  it('reports invalid entries and keeps the rest', () => {
    const { navigation, diagnostics } = build({
      groups: ['a', 5, { pages: ['b'] }, { group: 'G', pages: 'b' }],
      tabs: ['x', { title: 'T', pages: ['a'] }],
      anchors: { anchor: 'A' },
    });
    expect(outline(navigation.roots)).toBe('a');
    expect(diagnostics.map((one) => one.code)).toEqual(new Array(6).fill('invalid-navigation'));
  });

  it('names both fields that replace those of an older anchor', () => {
    const { diagnostics } = build({ pages: ['a'], anchors: [{ name: 'Chat', url: '/chat' }] });
    expect(diagnostics.map((one) => one.message)).toEqual([
      expect.stringContaining(
        'each anchor needs a text in "anchor", and "href" instead of "url" (navigation.anchors[0])',
      ),
    ]);
  });

  it('keeps the settings of entries and drops links that could run code', () => {
    const { navigation } = build({
      tabs: [
        {
          tab: 'T',
          icon: { name: 'bolt', style: 'solid' },
          hidden: true,
          searchable: true,
          boost: 2,
          href: 'javascript:alert(1)',
          groups: [{ group: 'G', tag: 'NEW', root: '/overview.mdx', expanded: true, pages: ['a'] }],
        },
        { tab: 'Blog', href: 'https://example.com', color: { light: '#fff', dark: 'url(x)' } },
        { tab: 'Page', href: 'guides' },
      ],
    });
    expect(navigation.roots).toMatchObject([
      {
        kind: 'tab',
        icon: 'bolt',
        hidden: true,
        searchable: true,
        boost: 2,
        children: [{ label: 'G', tag: 'NEW', root: 'overview', expanded: true }],
      },
      { label: 'Blog', href: 'https://example.com', color: { light: '#fff' }, children: [] },
      { label: 'Page', href: '/guides' },
    ]);
    expect(navigation.roots[0]).not.toHaveProperty('href');
    expect(navigation.roots[1]).not.toHaveProperty('color.dark');
  });

  it('gives siblings unique ids and exactly one default', () => {
    const { navigation } = build({
      versions: [
        { version: 'v1', pages: ['a'] },
        { version: 'v 1', pages: ['b'], default: true },
        { version: 'V1', pages: ['c'], default: true },
        { version: '日本', pages: ['d'] },
      ],
    });
    expect(
      navigation.roots.map((node) => node.kind === 'version' && [node.id, node.default]),
    ).toEqual([
      ['v1', false],
      ['v-1', true],
      ['v1-2', false],
      ['日本', false],
    ]);
  });

  it('reads links that are on every page', () => {
    const { navigation } = build({
      pages: ['a'],
      global: {
        anchors: [{ anchor: 'Chat', href: 'https://example.com' }],
        tabs: [{ tab: 'T', href: '/a' }],
      },
    });
    expect(navigation.global.map((one) => [one.kind, one.label, one.href])).toEqual([
      ['anchor', 'Chat', 'https://example.com'],
      ['tab', 'T', '/a'],
    ]);
  });
});

describe('navigation operations', () => {
  it('are resolved in the API description of the nearest parent', () => {
    const { pagePaths, diagnostics } = build(
      {
        tabs: [
          { tab: 'A', pages: ['GET /users'] },
          {
            tab: 'B',
            openapi: { source: 'users.json', directory: 'v2' },
            groups: [
              {
                group: 'G',
                pages: [
                  'GET /users',
                  'orders.json GET /orders',
                  'webhook user.created',
                  'get /users/{userId}/',
                ],
              },
              { group: 'H', openapi: 'orders.json', pages: ['GET /orders'] },
            ],
          },
        ],
      },
      { defaultOpenApi: [{ source: 'users.json' }] },
    );
    expect(diagnostics).toEqual([]);
    expect(pagePaths).toEqual([
      'api-reference/get-users',
      'v2/get-users',
      'api-reference/get-orders',
      'v2/webhookuser.created',
      'v2/get-users-id',
    ]);
  });

  it('are all listed by tag if a node with a description lists nothing, with hidden ones hidden', () => {
    const { navigation, pagePaths } = build({ groups: [{ group: 'API', openapi: '/users.json' }] });
    expect(outline(navigation.roots)).toBe(
      'API(Users(api-reference/get-users api-reference/get-users-id) api-reference/get-health Events(api-reference/webhookuser.created) (api-reference/delete-users-id))',
    );
    expect(pagePaths).toContain('api-reference/delete-users-id');
    const [api] = navigation.roots;
    expect(api?.kind === 'group' && api.children.at(-1)).toMatchObject({ hidden: true });
  });

  it('are missed with a warning that names the group if it has a description and lists only other pages', () => {
    const spec = { openapi: 'users.json' };
    const { pagePaths, diagnostics } = build(
      {
        groups: [
          { group: 'Only pages', ...spec, pages: ['index'] },
          { group: 'Some', ...spec, pages: ['index', 'GET /users'] },
          { group: 'Inherited', ...spec, pages: [{ group: 'Inside', pages: ['GET /health'] }] },
          { group: 'All', ...spec, pages: ['index', { group: 'Inside', ...spec }] },
          { group: 'As root', ...spec, root: 'GET /users', pages: ['index'] },
          { group: 'Own page', ...spec, pages: ['own'] },
        ],
      },
      { subjectOf: (path) => (path === 'own' ? 'api' : undefined) },
    );
    expect(pagePaths[0]).toBe('index');
    expect(
      diagnostics.filter(({ code }) => code !== 'repeated-page').map((one) => one.message),
    ).toEqual([
      'The group "Only pages" has "openapi" but shows no operations, because it lists pages and none of them is an operation ' +
        '(navigation.groups[0].openapi).',
    ]);
  });

  it('follow the listed pages if the description names a folder, on any node that lists pages or groups', () => {
    const openapi = { source: 'users.json', directory: 'v2' };
    const all =
      'Users(v2/get-users v2/get-users-id) v2/get-health Events(v2/webhookuser.created) (v2/delete-users-id)';
    const menuOf = (source: NavigationSource) => outline(build(source).navigation.roots);
    expect(menuOf({ groups: [{ group: 'G', openapi, pages: ['intro'] }] })).toBe(`G(intro ${all})`);
    expect(menuOf({ openapi: [openapi], pages: ['intro'] })).toBe(`intro ${all}`);
    for (const [kind, list] of [
      ['tab', 'tabs'],
      ['anchor', 'anchors'],
      ['dropdown', 'dropdowns'],
      ['version', 'versions'],
    ] as const)
      expect(
        menuOf({ [list]: [{ [kind]: 'T', openapi, groups: [{ group: 'G', pages: ['intro'] }] }] }),
      ).toBe(`${kind}:T[G(intro) ${all}]`);
    expect(menuOf({ groups: [{ group: 'G', asyncapi: openapi, pages: ['intro'] }] })).toBe(
      `G(intro ${all})`,
    );
  });

  it('follow the listed pages without those that these show or that the author selects', () => {
    const openapi = { source: 'users.json', directory: 'v2' };
    const menuOf = (
      pages: unknown[],
      more: object = {},
      context: Partial<NavigationContext> = {},
    ) => {
      const hasPage = (path: string) => ['intro', 'mine', 'v2/get-health'].includes(path);
      const { navigation, diagnostics, pagePaths } = build(
        { groups: [{ group: 'G', openapi, pages, ...more }] },
        { hasPage, ...context },
      );
      expect(diagnostics).toEqual([]);
      expect(new Set(pagePaths).size).toBe(pagePaths.length);
      return outline(navigation.roots);
    };
    const rest = 'v2/get-health Events(v2/webhookuser.created) (v2/delete-users-id)';
    const operationOf = (path: string) =>
      path === 'mine' ? { source: 'users.json', method: 'GET', route: '/users/{id}' } : undefined;
    expect(menuOf(['intro', 'mine'], {}, { operationOf })).toBe(
      `G(intro mine Users(v2/get-users) ${rest})`,
    );
    expect(menuOf(['v2/get-health'])).toBe(
      'G(v2/get-health Users(v2/get-users v2/get-users-id) Events(v2/webhookuser.created) (v2/delete-users-id))',
    );
    // An entry that names an operation is a choice: the description may have others that nobody
    // should see.
    expect(menuOf(['intro', { group: 'H', pages: ['GET /users'] }])).toBe(
      'G(intro H(v2/get-users))',
    );
    expect(menuOf(['intro'], { root: 'GET /users' })).toBe('G(intro)');
    // A group inside that lists all of them is not repeated; one of another description does not
    // matter.
    expect(menuOf(['intro', { group: 'All', openapi }])).toMatch(
      /^G\(intro All\([^\n]*get-health[^\n]*\)\)$/,
    );
    expect(menuOf(['orders.json GET /orders'])).toContain('Users(v2/get-users v2/get-users-id)');
    // A path says where entries find their operations, and an inherited description belongs to its
    // own node.
    expect(menuOf(['intro', { group: 'Inside', pages: ['mine'] }], {}, { operationOf })).toContain(
      'Inside(mine) Users(v2/get-users)',
    );
  });

  it('of a description that could not be read are not reported, because the description is', () => {
    const remote = 'https://example.com/remote.json';
    const { diagnostics, pagePaths } = build(
      {
        groups: [
          {
            group: 'A',
            openapi: ['users.json', remote],
            pages: ['index', 'GET /a', 'GET /b', 'GET /users'],
          },
        ],
      },
      {
        apiPages: (source) =>
          source.source === remote ? [operation('', '', source)] : apiPages(source),
      },
    );
    expect(diagnostics).toEqual([]);
    expect(pagePaths).toEqual(['index', 'api-reference/get-users']);
  });

  it('are reported if their description lacks them, and once for a description without operations', () => {
    const { diagnostics } = build({
      pages: ['index', 'GET /alone'],
      groups: [
        { group: 'A', openapi: 'users.json', pages: ['POST /users'] },
        { group: 'B', openapi: 'https://example.com/remote.json', pages: ['GET /a', 'GET /b'] },
      ],
    });
    expect(diagnostics.map((one) => one.code)).toEqual([
      'missing-operation',
      'missing-operation',
      'missing-operation',
    ]);
    expect(diagnostics[0]?.message).toContain('no API description is set here');
    expect(diagnostics[1]?.message).toContain('it is not in users.json');
    expect(diagnostics[2]?.message).toContain(
      '2 entries of the navigation are operations of https://example.com/remote.json, which has none',
    );
  });
});
