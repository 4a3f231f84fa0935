import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  type DeploymentBody,
  fetchLocal,
  getAs,
  publishArchive,
  tarball,
  until,
} from '../support/http.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

// Every restricted page contains this word in its title, its description and its text, and nothing
// else does.
const WORD = 'zebrafinch';
const restricted = (groups: string) =>
  `---\ntitle: The ${WORD}\ndescription: All of the ${WORD}\nrss: true\n${groups}\n---\n\n## A ${WORD}\n\n<Update label="2026-01-01">${WORD} sings.</Update>\n`;

const FILES: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#0d9373' },
    navigation: {
      groups: [
        {
          group: 'Docs',
          root: 'guides/root',
          directory: 'card',
          pages: ['index', 'list', 'text', 'importer', { group: 'Empty', pages: ['guides/only'] }],
        },
        { group: 'API', openapi: 'openapi.json', pages: ['GET /open', 'GET /closed', 'GET /path'] },
      ],
    },
    api: { openapi: 'openapi.json' },
    contextual: { options: ['copy', 'download-spec'] },
    seo: { indexing: 'all' },
  }),
  'index.mdx':
    "---\ntitle: Home\n---\n\nimport Draft from '/drafts/text.mdx';\nimport Snippet from '/snippets/text.mdx';\n\n<Draft /><Snippet />\n\n" +
    'See [this](/list), [that](/text#a) and <Card title="More" href="/orphan">Read on</Card>.\n',
  'importer.mdx':
    "---\ntitle: Importer\n---\n\nimport Text from '/text.mdx';\n\n<Text />\n\nThe end.\n",
  'list.mdx': restricted('groups: ["staff"]'),
  'text.mdx': restricted('groups: staff'),
  'orphan.mdx': restricted('groups: [staff, partners]'),
  // Frontmatter that is invalid or not written as it should be.
  'broken.mdx': restricted('sidebarTitle: One: two\ngroups:\n  - staff'),
  'unclosed.mdx': restricted('groups: [staff]').replace('groups: [staff]\n---', 'groups: [staff]'),
  'upper.mdx': restricted('Groups: [staff]'),
  'merged.mdx': restricted('base: &base { groups: [staff] }\n<<: *base'),
  // Never pages, but text that pages can import.
  '.docentignore': 'drafts/text.mdx\n',
  'drafts/text.mdx': restricted('groups: [staff]'),
  'snippets/text.mdx': restricted('groups: [staff]'),
  'guides/root.mdx': restricted('groups: []'),
  'guides/only.mdx': restricted('groups: true'),
  'operation.mdx': '---\nopenapi: GET /closed\n---\n',
  'openapi.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'API', version: '1' },
    paths: {
      '/open': {
        get: {
          summary: 'Open',
          parameters: [
            {
              in: 'query',
              name: WORD,
              'x-mint': { groups: ['staff'] },
              schema: { type: 'string' },
            },
          ],
          responses: {
            200: {
              description: 'Fine',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Bird' } } },
            },
          },
        },
      },
      '/path': {
        'x-mint': { metadata: { Groups: ['staff'] } },
        get: { summary: 'Path', responses: {} },
      },
      '/closed': {
        get: {
          summary: 'Closed',
          description: `The ${WORD}.`,
          'x-mint': { groups: ['staff'] },
          responses: {},
        },
      },
    },
    components: {
      schemas: {
        Bird: {
          type: 'object',
          required: ['name', `${WORD}s`],
          properties: {
            name: { type: 'string' },
            kind: { enum: ['owl', WORD], 'x-mint-enum': { [WORD]: ['staff'] } },
            song: { $ref: '#/components/schemas/Song' },
            [`${WORD}s`]: { type: 'integer', 'x-mint': { groups: ['staff'] } },
          },
        },
        Song: {
          title: WORD,
          'x-mint': { groups: ['staff'] },
          properties: { [WORD]: { type: 'string' } },
        },
      },
    },
  }),
};

describe('a page that "groups" restricts', () => {
  let docent: RunningDocent;
  let deployment: DeploymentBody;
  const folder = mkdtempSync(join(tmpdir(), 'docent-restricted-'));
  beforeAll(async () => {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    docent = await sharedDocent();
    deployment = await publishArchive(docent, 'closed', tarball(folder));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers = {}) =>
    getAs(docent.port, `closed.localhost:${docent.port}`, path, headers);

  test('is reported as an error with the file and the remedy', () => {
    expect(deployment.status).toBe('success');
    const errors =
      deployment.report?.diagnostics.filter((one) => one.code === 'restricted-page') ?? [];
    expect(errors.map((one) => one.file).sort()).toEqual([
      ...[
        'broken.mdx',
        'guides/only.mdx',
        'guides/root.mdx',
        'list.mdx',
        'merged.mdx',
        'openapi.json',
        'openapi.json',
      ],
      ...['operation.mdx', 'orphan.mdx', 'text.mdx', 'unclosed.mdx', 'upper.mdx'],
    ]);
    expect(errors.every((one) => one.remedy.includes('"groups"'))).toBe(true);
  });

  test.each([
    '/list',
    '/text',
    '/orphan',
    '/guides/root',
    '/guides/only',
    '/operation',
    '/api-reference/closed',
    '/api-reference/path',
    '/broken',
    '/unclosed',
    '/upper',
    '/merged',
    '/drafts/text',
    '/snippets/text',
  ])('is not served at %s as a page, Markdown, a feed or a preview image', async (path) => {
    for (const address of [
      path,
      `${path}.md`,
      `${path}.mdx`,
      `${path}/rss.xml`,
      `${path}/opengraph-image.png`,
      `${path}/`,
    ]) {
      const { status, body } = await get(address);
      expect([address, status >= 300, body.toString().includes(WORD)]).toEqual([
        address,
        true,
        false,
      ]);
    }
    expect((await get(path, { accept: 'text/markdown' })).status).toBe(404);
  });

  test('appears in nothing that a crawler can reach', async () => {
    const waiting = [
      '/',
      '/importer',
      '/sitemap.xml',
      '/llms.txt',
      '/llms-full.txt',
      '/robots.txt',
      '/rss.xml',
      '/404',
      '/mcp',
    ];
    const seen = new Set(waiting);
    for (const path of waiting) {
      const { body } = await get(path);
      const text = body.toString('utf8');
      expect([path, text.toLowerCase().includes(WORD)]).toEqual([path, false]);
      if (!text.startsWith('<') && !path.endsWith('.txt')) continue;
      for (const [, found] of text
        .matchAll(/(?:href|src|content|data-[\w-]+)="([^"\s]*)"|\]\(([^)\s]*)\)|<loc>([^<]*)/g)
        .map(([all, ...some]) => [all, some.find(Boolean)])) {
        const url = URL.canParse(found ?? '', `http://closed.localhost:${docent.port}${path}`)
          ? new URL(found as string, `http://closed.localhost:${docent.port}${path}`)
          : undefined;
        if (url?.host !== `closed.localhost:${docent.port}` || seen.has(url.pathname)) continue;
        seen.add(url.pathname);
        waiting.push(url.pathname);
      }
    }
    expect(seen.size).toBeGreaterThan(15);
  });

  test('has a counterpart in API descriptions: restricted parts are omitted with a warning, and the file is not served', async () => {
    const page = (await get('/api-reference/open')).body.toString();
    expect(page).toContain('name');
    expect(page.toLowerCase()).not.toContain(WORD);
    expect(page).not.toContain('openapi.json');
    expect((await get('/openapi.json')).status).toBe(404);
    const warning = deployment.report?.diagnostics.find(
      (one) => one.code === 'restricted-api-parts',
    );
    expect(warning).toMatchObject({ severity: 'warning', file: 'openapi.json' });
  });

  test('is found by no search, page operation or answer, with any groups in the request', async () => {
    const create = await call(docent, docent.adminKey, 'POST', '/v1/keys', {
      kind: 'assistant',
      site: 'closed',
      name: 'test',
    });
    const { key } = (await create.json()) as { key: string };
    for (const groups of [undefined, ['staff']]) {
      const searched = await call(docent, key, 'POST', '/v1/search/closed', {
        query: WORD,
        filter: { groups },
      });
      expect([searched.status, await searched.text()]).toEqual([
        200,
        expect.not.stringContaining(`${WORD} sings`),
      ]);
      const read = await call(docent, key, 'POST', '/v1/page/closed', { path: 'list', groups });
      expect(read.status).toBe(404);
      const message = {
        id: '1',
        role: 'user',
        parts: [{ type: 'text', text: `What does the ${WORD} do?` }],
      };
      const answer = await call(docent, key, 'POST', '/v2/assistant/closed/message', {
        fp: 'x',
        messages: [message],
        filter: { groups },
      });
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.not.stringContaining('sings'),
      ]);
    }
  });

  test('is returned by no tool and no resource of the MCP server', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const address = new URL(`http://closed.localhost:${docent.port}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(address, { fetch: fetchLocal }));
    const { tools } = await client.listTools();
    const toolNamed = (start: string) =>
      tools.find(({ name }) => name.startsWith(`${start}_`))?.name as string;
    const callTool = async (tool: string, args: Record<string, unknown>) =>
      JSON.stringify(await client.callTool({ name: toolNamed(tool), arguments: args }));
    for (const path of [
      'list',
      '/list',
      'text',
      'orphan',
      'guides/root',
      'guides/only',
      'drafts/text',
      'snippets/text',
    ]) {
      expect([path, await callTool('read_page', { path })]).toEqual([
        path,
        expect.not.stringContaining(`${WORD} sings`),
      ]);
      expect([path, await callTool('read', { path: `${path}.md` })]).toEqual([
        path,
        expect.not.stringContaining(`${WORD} sings`),
      ]);
    }
    // A result may repeat the query, but no text around it.
    for (const [tool, args] of [
      ['search', { query: WORD }],
      ['grep', { text: 'sings' }],
    ] as const)
      expect(await callTool(tool, args)).not.toContain(`${WORD} sings`);
    expect(await callTool('grep', { text: 'The end.' })).toContain('importer.md');
    expect(await callTool('list', { path: '/' })).toMatch(/importer/);
    expect(await callTool('list', { path: '/' })).not.toMatch(/orphan|snippets|drafts/);
    const { resources } = await client.listResources();
    expect(
      resources.map(({ name }) => name).filter((name) => /list|text|orphan|root|only/.test(name)),
    ).toEqual([]);
    await client.close();
  });

  test.each(['staff', { staff: true }, [1], true])(
    'is not reachable with groups of an invalid type: %j is rejected',
    async (groups) => {
      const { key } = (await (
        await call(docent, docent.adminKey, 'POST', '/v1/keys', {
          kind: 'assistant',
          site: 'closed',
          name: 'types',
        })
      ).json()) as { key: string };
      const message = { id: '1', role: 'user', parts: [{ type: 'text', text: 'Anything?' }] };
      const requests: [string, object][] = [
        ['/v1/search/closed', { query: 'x', filter: { groups } }],
        ['/v1/page/closed', { path: 'index', groups }],
        ['/v2/assistant/closed/message', { fp: 'x', messages: [message], filter: { groups } }],
      ];
      for (const [path, body] of requests) {
        const response = await call(docent, key, 'POST', path, body);
        const problem = (await response.json()) as { errors?: { path: string }[] };
        expect([path, response.status, problem.errors?.[0]?.path.includes('groups')]).toEqual([
          path,
          400,
          true,
        ]);
      }
    },
  );

  test('appears in no file of an export', async () => {
    const started = await call(docent, docent.adminKey, 'POST', '/v1/static-export/jobs', {
      domain: 'closed',
    });
    const { jobId } = (await started.json()) as { jobId: string };
    await until(async () => {
      const job = await call(docent, docent.adminKey, 'GET', `/v1/static-export/jobs/${jobId}`);
      return ((await job.json()) as { status: string }).status === 'completed' || undefined;
    });
    const link = await call(
      docent,
      docent.adminKey,
      'POST',
      `/v1/static-export/jobs/${jobId}/bundle`,
    );
    const { bundleUrl } = (await link.json()) as { bundleUrl: string };
    const archive = gunzipSync(Buffer.from(await (await fetch(bundleUrl)).arrayBuffer())).toString(
      'latin1',
    );
    expect(archive).toContain('importer.html');
    // The manifest reports omitted pages by path; only the pages contain the word.
    expect(archive.toLowerCase().includes(WORD)).toBe(false);
  });

  test('does not break the site: its other pages are served', async () => {
    expect((await get('/')).body.toString()).toContain('Read on');
    expect((await get('/importer')).body.toString()).toContain('The end.');
    expect((await get('/api-reference/open')).status).toBe(200);
  });
});
