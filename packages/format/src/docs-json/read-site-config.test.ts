import { describe, expect, it } from 'vitest';
import { DocentError } from '../errors.ts';
import { readSiteConfig } from './read-site-config.ts';

const minimal = {
  theme: 'mint',
  name: 'Site',
  colors: { primary: '#112233' },
  navigation: { pages: ['index'] },
};

function read(files: Record<string, unknown>) {
  const texts = new Map(
    Object.entries(files).map(([path, value]) => [
      path,
      typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    ]),
  );
  return readSiteConfig({ readText: (path) => texts.get(path) });
}

function readSettings(settings: Record<string, unknown>) {
  return read({ 'docs.json': { ...minimal, ...settings } });
}

function failure(files: Record<string, unknown>): DocentError {
  try {
    read(files);
  } catch (error) {
    if (error instanceof DocentError) return error;
  }
  throw new Error('the configuration was accepted');
}

describe('readSiteConfig', () => {
  it('fills in the defaults of a minimal file without diagnostics', () => {
    const { config, file, diagnostics } = readSettings({});
    expect(diagnostics).toEqual([]);
    expect(file).toBe('docs.json');
    expect(config).toMatchObject({
      name: 'Site',
      colors: { primary: '#112233', light: '#112233' },
      appearance: { default: 'system', strict: false },
      iconLibrary: 'fontawesome',
      navbar: { links: [] },
      errors404: { redirect: false },
      api: { playground: 'interactive', openapi: [] },
      seo: { indexing: 'navigable' },
      navigation: { pages: ['index'] },
    });
  });

  it('reads every setting that the site uses', () => {
    const { config, diagnostics } = readSettings({
      logo: { light: './logo/l.svg', dark: '/logo/d.svg', href: 'https://example.com' },
      favicon: 'favicon.png',
      fonts: {
        family: 'Inter',
        heading: {
          family: 'Geist',
          weight: 450,
          source: 'https://example.com/g.woff2',
          format: 'woff2',
        },
      },
      icons: { library: 'lucide' },
      background: { decoration: 'grid', color: { dark: '#000' }, image: '/bg.png' },
      styling: {
        eyebrows: 'breadcrumbs',
        latex: false,
        codeblocks: { theme: { light: 'github-light', dark: 'github-dark' } },
      },
      navbar: {
        links: [{ type: 'github', href: 'https://example.com/r' }],
        primary: { type: 'button', label: 'Go', href: 'start' },
      },
      footer: {
        socials: { x: 'https://x.com/a' },
        links: [{ header: 'H', items: [{ label: 'A', href: '/a' }] }],
      },
      banner: { content: 'Hello', dismissible: true },
      redirects: [{ source: '/a', destination: '/b', permanent: false }],
      variables: { 'api-version': '2' },
      errors: { '404': { redirect: false, title: 'Gone' } },
      api: {
        openapi: ['/a.json', { source: 'b.yaml', directory: '/ref/' }],
        playground: { display: 'simple' },
        mdx: { server: 'https://api.example.com', auth: { method: 'key', name: 'X-Key' } },
      },
      seo: { indexing: 'all', metatags: { 'og:type': 'website' } },
      search: { prompt: 'Ask' },
      markdown: { instructions: 'Use v2.' },
    });
    expect(diagnostics).toEqual([]);
    expect(config).toMatchObject({
      logo: { light: '/logo/l.svg', dark: '/logo/d.svg', href: 'https://example.com' },
      favicon: { light: '/favicon.png', dark: '/favicon.png' },
      fonts: { heading: { family: 'Geist', weight: 450 }, body: { family: 'Inter' } },
      iconLibrary: 'lucide',
      background: {
        decoration: 'grid',
        color: { dark: '#000' },
        image: { light: '/bg.png', dark: '/bg.png' },
      },
      eyebrows: 'breadcrumbs',
      latex: false,
      codeblocks: { mode: 'system', theme: { light: 'github-light', dark: 'github-dark' } },
      navbar: {
        links: [{ label: 'GitHub', icon: 'github' }],
        primary: { label: 'Go', href: '/start' },
      },
      footer: {
        socials: [{ platform: 'x', href: 'https://x.com/a' }],
        links: [{ header: 'H', items: [{ label: 'A', href: '/a' }] }],
      },
      banner: { content: 'Hello', dismissible: true, type: 'info' },
      redirects: [{ source: '/a', destination: '/b', permanent: false }],
      variables: { 'api-version': '2' },
      errors404: { redirect: false, title: 'Gone' },
      api: {
        openapi: [{ source: 'a.json' }, { source: 'b.yaml', directory: 'ref' }],
        playground: 'simple',
        baseUrls: ['https://api.example.com'],
        authMethod: 'key',
        authName: 'X-Key',
      },
      seo: { indexing: 'all', metatags: { 'og:type': 'website' } },
      searchPrompt: 'Ask',
      agentInstructions: ['Use v2.'],
    });
  });

  it('replaces an invalid value with its default and reports path, expectation, value, and line', () => {
    const { config, diagnostics } = readSettings({ appearance: { default: 'drak', strict: true } });
    expect(config.appearance).toEqual({ default: 'system', strict: true });
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'invalid-setting',
        message: '"appearance.default" should be one of "system", "light", "dark", but is "drak".',
        remedy: expect.stringContaining('ignored'),
        file: 'docs.json',
        line: 13,
        column: 5,
      },
    ]);
  });

  it('reports an error shared by many entries of a list once, with every place', () => {
    const redirects = [
      { source: '/a#b', destination: '/c' },
      { source: '/d', destination: '/e' },
      { source: '/f?g', destination: '/h' },
    ];
    const { config, diagnostics } = readSettings({ redirects });
    expect(config.redirects).toHaveLength(1);
    expect(diagnostics).toMatchObject([
      {
        code: 'invalid-setting',
        message: expect.stringContaining('redirects[0].source'),
        count: 2,
        places: [{ file: 'docs.json' }],
      },
    ]);
    expect(diagnostics[0]?.places?.[0]?.line).toBeGreaterThan(diagnostics[0]?.line ?? 0);
  });

  it('drops only the invalid items of a list and reports each once by its index', () => {
    const links = [
      { label: 'A' },
      { label: 'B', href: '/b' },
      { label: 3, href: '/c' },
      { href: '/d' },
      { label: 'E', href: '/e' },
    ];
    const { config, diagnostics } = readSettings({ navbar: { links } });
    expect(config.navbar.links.map((link) => link.label)).toEqual(['B', 'E']);
    expect(diagnostics.map((one) => /"(navbar[^"]*)"/.exec(one.message)?.[1])).toEqual([
      'navbar.links[0].href',
      'navbar.links[2].label',
      'navbar.links[3].label',
    ]);
  });

  it('uses and reports default colors and name if the required ones are missing', () => {
    const { config, diagnostics } = read({ 'docs.json': { navigation: { pages: ['index'] } } });
    expect(config.name).toBe('Documentation');
    expect(config.colors.primary).toMatch(/^#/);
    expect(diagnostics.map((one) => one.message)).toEqual([
      expect.stringContaining('"theme"'),
      expect.stringContaining('"name" should be a text, but is nothing'),
      expect.stringContaining('"colors"'),
    ]);
  });

  it.each([
    ['colors', { primary: 'red; } body { display: none' }],
    ['logo', 'javascript:alert(1)'],
    ['logo', { light: '/a.svg', href: ' java\u0001script:alert(1)' }],
    ['navbar', { links: [{ label: 'x', href: 'data:text/html,x' }] }],
    ['fonts', { family: '"; } * { color: red' }],
    ['favicon', '../../etc/passwd'],
    ['api', { openapi: '../secret.json' }],
    ['redirects', [{ source: '/a', destination: 'javascript:alert(1)' }]],
    ['redirects', [{ source: '/a', destination: '/a' }]],
    ['redirects', [{ source: '/a', destination: '/b/:slug*' }]],
    ['redirects', [{ source: '/a#b', destination: '/c' }]],
    ['variables', { 'a b': 'x' }],
    ['banner', 'text'],
    ['navbar', null],
  ])('warns about an invalid %s', (key, value) => {
    const { config, diagnostics } = readSettings({ [key]: value });
    expect(diagnostics.map((one) => one.code)).toEqual(['invalid-setting']);
    expect(JSON.stringify(config)).not.toMatch(/javascript:|data:|display: none|\.\.\//);
  });

  it('reports unknown settings with a suggestion', () => {
    const { diagnostics } = readSettings({
      navber: {},
      topbarLinks: [],
      zzz: 1,
      styles: { latex: true },
    });
    expect(diagnostics.map((one) => [one.code, one.remedy])).toEqual([
      ['unknown-setting', 'Did you mean "navbar"?'],
      ['unknown-setting', 'It belongs to the older mint.json; use "navbar.links" instead.'],
      ['unknown-setting', 'Remove it, or correct its name.'],
      ['unknown-setting', 'Did you mean "styling"?'],
    ]);
  });

  it('reports settings without effect once per reason, with an alternative', () => {
    const { diagnostics } = readSettings({
      feedback: { thumbsRating: true, suggestEdit: true },
      integrations: { ga4: { measurementId: 'G-1' }, posthog: { apiKey: 'x' } },
      api: {
        playground: { display: 'interactive', proxy: true, credentials: true },
        examples: { prefill: true },
      },
    });
    expect(diagnostics.map(({ severity }) => severity)).toEqual(['warning', 'info']);
    expect(diagnostics.map((one) => [one.code, one.message])).toEqual([
      [
        'setting-not-used',
        expect.stringMatching(/^"feedback\.suggestEdit" has no effect here: there is no link/),
      ],
      ['integrations-need-operator', expect.stringContaining('(ga4, posthog)')],
    ]);
    expect(diagnostics[0]?.remedy).toContain('Set "feedback.repository"');
  });

  it('reports unknown names at any depth once, with their line and the nearest known name', () => {
    const { diagnostics } = readSettings({
      navbar: { links: [{ label: 'A', hrf: '/x', href: '/a' }] },
      navigation: {
        tabs: [
          {
            tab: 'T',
            groups: [{ group: 'G', pages: ['index', { group: 'H', expandd: true, pages: ['a'] }] }],
          },
        ],
        versions: Array.from({ length: 3 }, (_, n) => ({ version: `v${n}`, foo: 1, pages: ['a'] })),
      },
    });
    expect(diagnostics.map((one) => [one.message, one.remedy])).toEqual([
      [
        expect.stringContaining('"navigation.tabs[0].groups[0].pages[1].expandd"'),
        'Did you mean "navigation.tabs[0].groups[0].pages[1].expanded"?',
      ],
      [
        'There is no setting "navigation.versions[].foo"; it is written 3 times.',
        expect.stringContaining('correct its name'),
      ],
      [expect.stringContaining('"navbar.links[0].hrf"'), 'Did you mean "navbar.links[0].href"?'],
    ]);
    expect(diagnostics.every((one) => one.line !== undefined && one.line > 1)).toBe(true);
  });

  it('leaves an entry of the navigation without its label to one warning, unless the label is misspelled', () => {
    const { diagnostics } = readSettings({
      navigation: {
        anchors: [{ name: 'Chat', url: '/chat' }],
        tabs: [{ tabb: 'T', foo: 1 }],
        pages: ['index', { grup: 'G' }],
      },
    });
    expect(diagnostics.map((one) => one.remedy)).toEqual([
      'Did you mean "navigation.tabs[0].tab"?',
      'Did you mean "navigation.pages[1].group"?',
    ]);
  });

  it('reads the parts of a language and keeps those of the site for invalid ones', () => {
    const { config, diagnostics } = readSettings({
      navigation: {
        languages: [
          { language: 'en', pages: ['index'] },
          {
            language: 'de',
            pages: ['de/index'],
            banner: { content: 'Neu', color: '#ff0000' },
            footer: 3,
          },
        ],
      },
    });
    expect(config.byLanguage).toEqual([
      {
        language: 'de',
        parts: {
          banner: {
            content: 'Neu',
            dismissible: false,
            type: 'info',
            color: { light: '#ff0000', dark: '#ff0000' },
          },
        },
      },
    ]);
    expect(diagnostics.map((one) => one.message)).toEqual([
      expect.stringContaining('"navigation.languages[1].footer"'),
    ]);
  });

  it('reads the contextual menu and reports the invalid part of an entry', () => {
    const { config, diagnostics } = readSettings({
      contextual: {
        options: [
          'copy',
          {
            title: 'Ask',
            description: 'd',
            icon: 'x',
            href: { base: 'https://a.example', query: [{ key: 'q', value: '$page' }] },
          },
          { title: 'Bad', href: 'javascript:1' },
          'nope',
        ],
      },
    });
    expect(config.contextual).toEqual({
      display: 'header',
      options: [
        { kind: 'builtin', name: 'copy' },
        {
          ...{ kind: 'custom', title: 'Ask', description: 'd', icon: 'x' },
          href: { base: 'https://a.example', query: [{ key: 'q', value: '$page' }] },
        },
      ],
    });
    expect(diagnostics.map((one) => /"(contextual[^"]*)"/.exec(one.message)?.[1])).toEqual([
      'contextual.options[2].href',
      'contextual.options[3]',
    ]);
  });

  it('reports an error at its place in the referenced file', () => {
    const { diagnostics } = read({
      'docs.json': { ...minimal, navbar: { $ref: './parts/navbar.json' } },
      'parts/navbar.json':
        '{\n  "links": [\n    { "label": "A", "href": "javascript:1" },\n    { "lable": "B", "href": "/b", "label": "B" }\n  ]\n}',
    });
    expect(diagnostics.map((one) => [one.code, one.file, one.line])).toEqual([
      ['unknown-setting', 'parts/navbar.json', 4],
      ['invalid-setting', 'parts/navbar.json', 3],
    ]);
  });

  it('reads a file with comments and trailing commas and warns about them', () => {
    const { config, diagnostics } = read({
      'docs.json': `// hi\n${JSON.stringify(minimal).slice(0, -1)},}`,
    });
    expect(config.name).toBe('Site');
    expect(diagnostics.map((one) => [one.code, one.line])).toEqual([
      ['lenient-json', 1],
      ['lenient-json', 2],
    ]);
  });

  it.each([
    ['a missing file', {}, 'There is no docs.json'],
    ['a syntax error', { 'docs.json': '{"name": "x"\n  "theme": 1}' }, 'Line 1, column 13'],
    ['a list instead of an object', { 'docs.json': '[]' }, 'must contain an object'],
    ['a missing navigation', { 'docs.json': { name: 'x' } }, 'no usable navigation'],
    [
      'an empty navigation',
      { 'docs.json': { navigation: { global: {} } } },
      'no usable navigation',
    ],
  ])('stops the build for %s', (_, files, message) => {
    const error = failure(files);
    expect(error.code).toBe('build_failed');
    expect(error.message).toContain(message);
    expect(error.errors).toHaveLength(1);
  });
});

describe('the $ref keyword', () => {
  it('loads relative files, lets siblings override their content, and keeps their places', () => {
    const { config, diagnostics, placeOf } = read({
      'docs.json': {
        ...minimal,
        navigation: { $ref: './config/nav.json', pages: ['b'] },
        redirects: { $ref: 'redirects.json' },
      },
      'config/nav.json': { pages: ['a'], groups: { $ref: './groups.json' } },
      'config/groups.json': [{ group: 'G', pages: ['g'] }],
      'redirects.json': [{ source: '/x', destination: '/y' }],
    });
    expect(diagnostics).toEqual([]);
    expect(config.navigation).toEqual({ pages: ['b'], groups: [{ group: 'G', pages: ['g'] }] });
    expect(config.redirects).toHaveLength(1);
    const [group] = config.navigation.groups as object[];
    expect(placeOf(group as object, 'pages')).toMatchObject({
      file: 'config/groups.json',
      line: 4,
    });
    expect(placeOf(config.navigation, 'pages')).toMatchObject({ file: 'docs.json' });
  });

  it.each([
    ['a missing file', { $ref: 'none.json' }, {}, 'does not exist'],
    [
      'a path outside the folder',
      { $ref: '../secret.json' },
      { '../secret.json': '{"content": "s"}' },
      'outside the documentation folder',
    ],
    [
      'a cycle',
      { $ref: 'a.json' },
      { 'a.json': { $ref: 'b.json' }, 'b.json': { $ref: 'a.json' } },
      'a.json → b.json → a.json',
    ],
    [
      'a cycle through the root',
      { $ref: 'a.json' },
      { 'a.json': { $ref: 'docs.json' } },
      'docs.json → a.json → docs.json',
    ],
    ['invalid JSON', { $ref: 'a.json' }, { 'a.json': '{' }, 'not valid JSON'],
  ])('omits %s and reports the reason', (_, banner, files, message) => {
    const { config, diagnostics } = read({ 'docs.json': { ...minimal, banner }, ...files });
    expect(config.banner).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: 'unresolved-ref', message: expect.stringContaining(message) },
    ]);
  });

  it('stops at files that multiply into a huge tree', () => {
    const files = Object.fromEntries(
      Array.from({ length: 9 }, (_, level) => [
        `${level}.json`,
        { items: Array.from({ length: 10 }, () => ({ $ref: `${level + 1}.json` })) },
      ]),
    );
    const { diagnostics } = read({
      'docs.json': { ...minimal, contextual: { $ref: '0.json' } },
      ...files,
      '9.json': {},
    });
    expect(diagnostics.filter((one) => one.message.includes('too large'))).toHaveLength(1);
  });
});
