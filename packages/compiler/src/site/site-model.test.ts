import { expect, test } from 'vitest';
import { memorySourceTree } from '../source/source-tree.ts';
import { readSiteModel } from './site-model.ts';

function modelOf(settings: object, files: Record<string, string>) {
  const config = { name: 'Acme', theme: 'mint', colors: { primary: '#000000' }, ...settings };
  const entries = Object.entries({ 'docs.json': JSON.stringify(config), ...files });
  return readSiteModel(
    memorySourceTree(
      new Map(entries.map(([path, text]) => [path, new TextEncoder().encode(text)])),
    ),
  );
}

test('variables in titles and descriptions are replaced verbatim, and unknown names are kept', () => {
  const { pages } = modelOf(
    { navigation: { pages: ['index'] }, variables: { product: 'A <& B>' } },
    {
      'index.mdx':
        '---\ntitle: "Use {{product}}"\nsidebarTitle: "{{ product }}"\ndescription: "{{other}}"\n---\n',
    },
  );
  expect(pages[0]?.title).toBe('Use A <& B>');
  expect(pages[0]?.frontmatter).toMatchObject({
    sidebarTitle: 'A <& B>',
    description: '{{other}}',
  });
});

test('folder redirects come after those of the author, and skip hidden pages', () => {
  const redirects = [{ source: '/sdk', destination: '/start' }];
  const { config } = modelOf(
    { navigation: { pages: ['start', 'sdk/secret', 'sdk/js/use', 'cli/login'] }, redirects },
    {
      'start.mdx': '',
      'sdk/secret.mdx': '---\nhidden: true\n---\n',
      'sdk/js/use.mdx': '',
      'cli/login.mdx': '',
    },
  );
  expect(config.redirects.map(({ source, destination }) => `${source} → ${destination}`)).toEqual([
    '/sdk → /start',
    '/sdk/js → /sdk/js/use',
    '/sdk → /sdk/js/use',
    '/cli → /cli/login',
  ]);
});

test('a listed page may have a name that starts with a dot, and other dotfiles and folders are ignored', () => {
  const hidden = {
    '.draft/a.mdx': '',
    'sdks/.cache/b.mdx': '',
    '.mdx': '',
    'sdks/.mdx': '',
    'sdks/._go.mdx': '',
    '.#start.mdx': '',
  };
  const { pages, diagnostics } = modelOf(
    { navigation: { pages: ['sdks/.NET'] } },
    { 'sdks/.NET.mdx': '', ...hidden },
  );
  expect(pages.map(({ path }) => path)).toEqual(['sdks/.NET']);
  expect(diagnostics.map(({ code }) => code)).not.toContain('missing-page');
});

test('operations follow the listed pages of a tab, and pages of the repository at their address or about them take their place', () => {
  const get = (summary: string) => ({ get: { summary, tags: ['Users'], responses: {} } });
  const paths = {
    '/users': get('List users'),
    '/users/{id}': get('Get a user'),
    '/me': get('Get me'),
    '/keys': get('List keys'),
  };
  const { pages, diagnostics, navigation } = modelOf(
    {
      navigation: {
        tabs: [
          {
            tab: 'API',
            openapi: { source: 'api.json', directory: 'api' },
            groups: [{ group: 'Start', pages: ['intro', 'own'] }],
          },
        ],
      },
    },
    {
      'api.json': JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths }),
      'intro.mdx': '',
      'own.mdx': '---\nopenapi: get /users/{id}\n---\n',
      'api/users/get-me.mdx': '---\ntitle: About me\n---\n',
    },
  );
  expect(diagnostics).toEqual([]);
  expect(pages.map(({ path, title, file }) => `${path} ${title} ${file}`)).toEqual([
    'intro Intro intro.mdx',
    'own Get a user own.mdx',
    'api/users/list-users List users ',
    'api/users/get-me About me api/users/get-me.mdx',
    'api/users/list-keys List keys ',
  ]);
  expect(navigation.roots[0]).toMatchObject({ children: [{ label: 'Start' }, { label: 'Users' }] });
});

test('a description that is absent or broken is one error with all pages that need it, and none for the pages', () => {
  const page = (openapi: string) => `---\nopenapi: ${openapi}\n---\n`;
  const broken = '{ "openapi": "3.1.0", "paths": ';
  const { diagnostics, pages } = modelOf(
    {
      navigation: {
        groups: [{ group: 'G', openapi: 'none.yaml' }],
        pages: ['a', 'b', 'c', 'd', 'e', 'f'],
      },
    },
    {
      'a.mdx': page('none.yaml GET /a'),
      'b.mdx': page('/none.yaml GET /b'),
      'c.mdx': page('broken.json GET /c'),
      'd.mdx': page('broken.json GET /d'),
      'e.mdx': page('GET /typo'),
      'f.mdx': page('/none.yaml'),
      'broken.json': broken,
    },
  );
  expect(
    pages.filter(({ unread }) => unread).map(({ path, unread }) => `${path} ${unread}`),
  ).toEqual(['a none.yaml', 'b /none.yaml', 'c broken.json', 'd broken.json']);
  expect(
    diagnostics.map(({ severity, file, count = 1, places = [] }) => [
      severity,
      file,
      count,
      places.length,
    ]),
  ).toEqual([
    ['error', 'broken.json', 1, 0],
    ['error', 'docs.json', 3, 2],
  ]);
  expect(diagnostics[1]?.message).toBe('There is no API description none.yaml.');
});
