import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  call,
  fetchLocal,
  fixtureSite,
  getAs,
  publishArchive,
  tarball,
  until,
} from '../support/http.ts';
import {
  documentedConfigurations,
  hasReverseProxies,
  type ReverseProxy,
  startCaddy,
  startNginx,
} from '../support/reverse-proxies.ts';
import {
  freePort,
  type RunningDocent,
  removeTemporaryFolders,
  runDocent,
  sharedDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

const HOST = 'www.acme.example';
const PUBLIC_URL = `https://${HOST}/docs`;
const SLUG = 'below';

const pages = {
  'changelog.mdx':
    '---\ntitle: Changelog\nrss: true\n---\n\n<Update label="May" description="v1">Faster.</Update>',
  'docs/intro.mdx':
    '---\ntitle: Folder of the same name\n---\n\nSee [the installation](/guides/install).',
  'guides/counter.mdx':
    '---\ntitle: Counter\n---\n\nexport const Counter = () => {\n  const [count, setCount] = useState(0)\n  return <button onClick={() => setCount(count + 1)}>{count}<img src="/images/dot.svg" alt="" /></button>\n}\n\n<Counter />\n\n<img src="/images/dot.svg" alt="A dot" />\n\n<a href="/api/openapi.json">The description</a>',
  'style.css': '.dotted { background: url(/images/dot.svg) }',
};

describe.skipIf(!hasReverseProxies)('a live site below a path of a website', () => {
  let docent: RunningDocent;
  let proxies: ReverseProxy[];
  const ports: Record<string, number> = {};
  beforeAll(async () => {
    docent = await sharedDocent();
    const folder = await temporaryFolder();
    cpSync(fixtureSite('basic'), folder, { recursive: true });
    for (const [path, text] of Object.entries(pages)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    await publishArchive(docent, SLUG, tarball(folder));
    const siteHost = `${SLUG}.localhost:${docent.port}`;
    const written = documentedConfigurations({
      '127.0.0.1:3000': `127.0.0.1:${docent.port}`,
      'guide.acme-docs.example': siteHost,
    });
    const [replaced = '', removed = ''] = written['nginx.conf'] ?? [];
    const kept = replaced.replace(`Host ${siteHost}`, 'Host $http_host');
    for (const name of ['kept', 'replaced', 'removed', 'caddy']) ports[name] = await freePort();
    const servers = Object.entries({ kept, replaced, removed }).map(
      ([name, locations]) => `server {\nlisten 127.0.0.1:${ports[name]};\n${locations}\n}`,
    );
    const nginxPorts = [ports.kept, ports.replaced, ports.removed] as number[];
    proxies = await Promise.all([
      startNginx(servers.join('\n'), nginxPorts),
      startCaddy(written.Caddyfile?.[0] ?? '', ports.caddy as number),
    ]);
    for (const step of ['add', 'approve'])
      expect((await command('hostnames', step, HOST, '--site', SLUG)).code).toBe(0);
    const changed = await command('sites', 'change', SLUG, '--public-url', `${PUBLIC_URL}/`);
    expect(changed.code).toBe(0);
    for (const address of [PUBLIC_URL, `http://${siteHost}`])
      expect(changed.stdout).toContain(address);
    for (const port of Object.values(ports))
      await until(async () =>
        (await getAs(port, HOST, '/docs/guides/install')).status === 200 ? true : undefined,
      );
  }, 180_000);
  afterAll(async () => {
    await Promise.all((proxies ?? []).map((proxy) => proxy.stop()));
    if (docent)
      await call(docent, docent.adminKey, 'DELETE', `/v1/projects/${SLUG}?confirm=${SLUG}`);
    await removeTemporaryFolders();
  });

  const command = (...args: string[]) => runDocent(args, { DOCENT_DATA: docent.dataFolder });

  const ways = ['kept', 'replaced', 'removed', 'caddy'] as const;
  const about = {
    kept: 'nginx with the host',
    replaced: 'nginx',
    removed: 'nginx without the path',
    caddy: 'Caddy',
  };

  test.each(ways.map((way) => [about[way], way] as const))(
    'through %s: every page, file, redirect and list that leads to the site stays below the path',
    async (_, way) => {
      const port = ports[way] as number;
      const seen = new Map<string, number>();
      const faults: string[] = [];
      const queue = [
        '/docs',
        '/docs/sitemap.xml',
        '/docs/robots.txt',
        '/docs/llms.txt',
        '/docs/llms-full.txt',
        '/docs/skill.md',
        '/docs/changelog/rss.xml',
        '/docs/.well-known/mcp.json',
        '/docs/.well-known/api-catalog',
        '/docs/guides/install.md',
        '/docs/guides/counter',
        '/docs/old/install',
        '/docs/temporary',
        '/docs/guides/install/',
        '/docs/guides/install.html',
        '/docs/nothing/install',
        '/docs/mcp',
        '/docs/_docent/oauth.html',
        // Without its first folder, this path has two meanings.
        ...(way === 'removed' ? [] : ['/docs/docs/intro']),
      ];
      for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
        if (seen.has(path)) continue;
        const { status, headers, body } = await getAs(port, HOST, path);
        seen.set(path, status);
        // The second is the fixture's broken link.
        if (status >= 400 && !['/docs/nothing/install', '/docs/nowhere'].includes(path))
          faults.push(`${path}: ${status}`);
        if (headers['strict-transport-security'])
          faults.push(`${path}: sets HSTS for the whole website`);
        for (const address of addressesOf(path, headers, body)) {
          if (address.origin !== `https://${HOST}`) {
            // Other servers that the page names; the site's own host must not be among them.
            if (/localhost|127\.0\.0\.1/.test(address.hostname))
              faults.push(`${path}: ${address.href}`);
          } else if (/^\/docs(?:\/|$)/.test(address.pathname))
            queue.push(address.pathname + address.search);
          else faults.push(`${path}: leaves the path for ${address.pathname}`);
        }
      }
      expect(faults).toEqual([]);
      const kinds = [
        /site-\w+\.css$/,
        /site-\w+\.js$/,
        /\.woff2$/,
        /search-index-\w+\.js$/,
        /search-\w+\.js$/,
        /assistant-\w+\.js$/,
        /islands-\w+\.js$/,
      ];
      for (const kind of [
        ...kinds,
        /og\/index\.png/,
        /dot\.svg\?v=/,
        /openapi\.json/,
        /\/v1\/guides\/install$/,
      ])
        expect([kind, [...seen.keys()].some((path) => kind.test(path))]).toEqual([kind, true]);
    },
    120_000,
  );

  test.each(ways.map((way) => [about[way], way] as const))(
    'through %s: the assistant, MCP, events and feedback answer pages of the website, and of no other origin',
    async (_, way) => {
      const send = async (
        path: string,
        origin: string,
        body: object,
        more: Record<string, string> = {},
      ) => {
        const response = await fetchLocal(`http://${HOST}:${ports[way]}/docs${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin, ...more },
          body: JSON.stringify(body),
        });
        return { status: response.status, body: await response.text() };
      };
      const page = (
        await getAs(ports[way] as number, HOST, '/docs/guides/install')
      ).body.toString();
      for (const named of ['"api":"/docs/_docent/assistant"', '"analytics":"/docs/_docent/events"'])
        expect(page).toContain(named);
      const own = `https://${HOST}`;
      const question = {
        fp: 'a',
        messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'rotate a key' }] }],
      };
      const answer = await send('/_docent/assistant/message', own, question);
      expect(answer.status).toBe(200);
      expect(answer.body).toContain(`${PUBLIC_URL}/guides/install`);
      const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const listed = await send('/mcp', own, mcp, {
        accept: 'application/json, text/event-stream',
      });
      expect([listed.status, listed.body]).toEqual([200, expect.stringContaining('"tools"')]);
      const event = { v: 1, now: 1, events: [{ t: 'page', at: 0, path: '/guides/install' }] };
      expect(
        (await send('/_docent/events', own, event, { 'content-type': 'text/plain' })).status,
      ).toBe(204);
      const opinion = {
        t: 'feedback',
        at: 0,
        path: '/guides/install',
        id: crypto.randomUUID(),
        helpful: true,
      };
      const sent = await send(
        '/_docent/feedback',
        own,
        { v: 1, now: 1, events: [opinion] },
        { 'content-type': 'text/plain' },
      );
      expect(sent.status).toBe(204);
      for (const path of [
        '/_docent/assistant/message',
        '/mcp',
        '/_docent/events',
        '/_docent/feedback',
      ])
        expect([path, (await send(path, 'https://evil.example', question)).status]).toEqual([
          path,
          403,
        ]);
    },
  );

  test('headers of a request change nothing of a page, in any order of requests', async () => {
    const poison = {
      'x-forwarded-prefix': '/evil',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      'x-original-url': '/evil',
      'x-script-name': '/evil',
      forwarded: 'host=evil.example;proto=gopher',
    };
    for (const path of [
      '/docs/guides/counter',
      '/docs/old/install',
      '/docs/sitemap.xml',
      '/docs/nothing',
    ]) {
      const first = await getAs(ports.replaced as number, HOST, path, poison);
      const second = await getAs(ports.replaced as number, HOST, path);
      expect([path, first.body.equals(second.body), first.headers.location]).toEqual([
        path,
        true,
        second.headers.location,
      ]);
      expect(`${first.body} ${first.headers.location}`).not.toMatch(/evil|gopher/);
    }
  });

  test('the site’s own address has the same pages, and a former identifier does not lead a proxy away', async () => {
    const direct = await getAs(docent.port, `${SLUG}.localhost:${docent.port}`, '/guides/install');
    expect(direct.body.toString()).toContain(
      `<link rel="canonical" href="${PUBLIC_URL}/guides/install">`,
    );
    await call(docent, docent.adminKey, 'PATCH', `/v1/projects/${SLUG}`, { slug: 'below-anew' });
    await until(async () =>
      (await getAs(docent.port, 'below-anew.localhost', '/docs/guides/install')).status === 200
        ? true
        : undefined,
    );
    expect((await getAs(ports.replaced as number, HOST, '/docs/guides/install')).status).toBe(200);
    await call(docent, docent.adminKey, 'PATCH', `/v1/projects/below-anew`, { slug: SLUG });
    await until(async () =>
      (await getAs(docent.port, `${SLUG}.localhost`, '/docs/guides/install')).status === 200
        ? true
        : undefined,
    );
  });

  test('the public URL is shown, changed and removed, and only a web address with a plain path is one', async () => {
    const change = async (publicUrl: unknown) => {
      const response = await call(docent, docent.adminKey, 'PATCH', `/v1/projects/${SLUG}`, {
        settings: { publicUrl },
      });
      return {
        status: response.status,
        ...((await response.json()) as { url: string; errors?: { path: string }[] }),
      };
    };
    for (const refused of [
      '/docs',
      'https://acme.example/a b',
      'https://acme.example/../x',
      'https://acme.example/docs?x=1',
    ])
      expect(await change(refused)).toMatchObject({
        status: 400,
        errors: [{ path: '/settings/publicUrl' }],
      });
    for (const refused of [
      'javascript:alert(1)',
      'https://acme.example:99999/docs',
      'https://u@acme.example',
      'https://acme.example/_docent',
    ])
      expect((await change(refused)).status).toBe(400);
    expect((await change(`https://${HOST}/help`)).url).toBe(`https://${HOST}/help`);
    await until(async () =>
      (await getAs(docent.port, HOST, '/help/guides/install')).status === 200 ? true : undefined,
    );
    expect((await command('sites', 'change', SLUG, '--public-url', 'none')).code).toBe(0);
    await until(async () =>
      (await getAs(docent.port, HOST, '/help/guides/install')).status === 404 ? true : undefined,
    );
    const page = (await getAs(docent.port, HOST, '/guides/install')).body.toString();
    expect(page).toContain(`<link rel="canonical" href="https://${HOST}/guides/install">`);
  });
});

test('the documented Worker and rewrites forward the path, and nothing else, to the site', async () => {
  const written = documentedConfigurations({});
  const forwarded: Request[] = [];
  vi.stubGlobal('fetch', async (request: Request, init?: RequestInit) => {
    forwarded.push(request);
    return new Response(init?.redirect ?? '');
  });
  const code = encodeURIComponent(written['worker.js']?.[0] ?? '');
  const { default: worker } = (await import(`data:text/javascript,${code}`)) as {
    default: { fetch(request: Request): Promise<Response> };
  };
  const answers: string[] = [];
  for (const path of ['/docs', '/docs/mcp?x=1', '/docsearch']) {
    const request = new Request(`https://${HOST}${path}`, { method: 'POST', body: path });
    answers.push(await (await worker.fetch(request)).text());
  }
  vi.unstubAllGlobals();
  expect(forwarded.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST https://guide.acme-docs.example/docs',
    'POST https://guide.acme-docs.example/docs/mcp?x=1',
    `POST https://${HOST}/docsearch`,
  ]);
  expect(answers).toEqual(['manual', 'manual', '']);
  expect(await Promise.all(forwarded.map((request) => request.text()))).toEqual([
    '/docs',
    '/docs/mcp?x=1',
    '/docsearch',
  ]);
  const { rewrites } = JSON.parse(written['vercel.json']?.[0] ?? '') as {
    rewrites: { source: string; destination: string }[];
  };
  const rewritten = (path: string) => {
    for (const { source, destination } of rewrites) {
      const match = new RegExp(`^${source.replace('/:path*', '/(.*)')}$`).exec(path);
      if (match) return destination.replace(':path*', match[1] ?? '');
    }
    return undefined;
  };
  expect(['/docs', '/docs/a/b.md', '/docsearch'].map(rewritten)).toEqual([
    'https://guide.acme-docs.example/docs',
    'https://guide.acme-docs.example/docs/a/b.md',
    undefined,
  ]);
});

/** Returns every address in a response that a browser or a program would follow. */
function addressesOf(path: string, headers: Record<string, unknown>, body: Buffer): URL[] {
  const base = `https://${HOST}${path}`;
  const text = body.toString();
  const found = [headers.location, headers['x-llms-txt']].filter(
    (value) => typeof value === 'string',
  ) as string[];
  for (const [, link = ''] of String(headers.link ?? '').matchAll(/<([^>]+)>/g)) found.push(link);
  const type = String(headers['content-type']);
  const take = (pattern: RegExp) => {
    for (const [, address = ''] of text.matchAll(pattern))
      found.push(address.replaceAll('&amp;', '&'));
  };
  if (type.startsWith('text/html')) {
    take(/\s(?:href|src|action|poster)="([^"]+)"/g);
    take(/<meta (?:property|name)="(?:og:url|og:image|twitter:image)" content="([^"]+)"/g);
    // Addresses in the data of the page's scripts: the search index, the assistant's script.
    take(/"(?:script|index|library)":"([^"]+\.js)"/g);
  }
  if (type.startsWith('text/css') || type.startsWith('text/html'))
    take(/url\(["']?([^"')]+)["']?\)/g);
  if (/xml|markdown|plain|json/.test(type)) take(/(https?:\/\/[^\s<>"')\]`]+)/g);
  return found
    .filter((address) => !/^(?:#|data:|mailto:)/.test(address) && URL.canParse(address, base))
    .map((address) => new URL(address, base));
}
