import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, fixtureSite, getAs, publishArchive, tarball, until } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

const SITES = 'docs.acme.example';

describe('the addresses of sites', () => {
  let onLocalhost: RunningDocent;
  let withDomain: RunningDocent;
  let withoutDomain: RunningDocent;
  beforeAll(async () => {
    const publicUrl = { DOCENT_PUBLIC_URL: 'https://platform.acme.example:8443' };
    [onLocalhost, withDomain, withoutDomain] = await Promise.all([
      startDocent(),
      startDocent({
        env: {
          ...publicUrl,
          DOCENT_SITES_DOMAIN: SITES,
          DOCENT_RESERVED_HOSTNAMES: `status.${SITES}, acme.example`,
        },
      }),
      startDocent({ env: publicUrl }),
    ]);
    await Promise.all(
      ['one', 'two'].map((slug) =>
        publishArchive(local(withDomain), slug, tarball(fixtureSite('small'))),
      ),
    );
  }, 300_000);
  afterAll(async () => {
    await Promise.all([onLocalhost?.stop(), withDomain?.stop(), withoutDomain?.stop()]);
    await removeTemporaryFolders();
  });

  /** The same Docent, called on this machine. */
  const local = (docent: RunningDocent): RunningDocent => ({
    ...docent,
    apiUrl: `http://127.0.0.1:${docent.port}`,
  });
  const moved = async (docent: RunningDocent, host: string, path: string) => {
    const { status, headers } = await getAs(docent.port, host, path);
    return [status, headers.location];
  };
  const policyOf = async (
    docent: RunningDocent,
    host: string,
    path = '/sites/docent/quickstart',
  ) => {
    const { status, headers } = await getAs(docent.port, host, path);
    return [status, headers['content-security-policy']];
  };
  const sandboxed = [
    200,
    expect.stringMatching(/(?:^|[,;] ?)sandbox (?!.*allow-same-origin).*allow-scripts/),
  ];

  test('are subdomains of localhost with its port if the public address is on localhost', async () => {
    const own = `http://docent.localhost:${onLocalhost.port}`;
    expect(onLocalhost.siteUrl).toBe(`${own}/`);
    const host = `localhost:${onLocalhost.port}`;
    expect(await moved(onLocalhost, host, '/sites/docent')).toEqual([308, `${own}/`]);
    expect(await moved(onLocalhost, host, '/sites/docent/a%20b//c?x=1&y=%2F')).toEqual([
      308,
      `${own}/a%20b//c?x=1&y=%2F`,
    ]);
    expect(await moved(onLocalhost, host, '/sites/docent//evil.example/')).toEqual([
      308,
      `${own}//evil.example/`,
    ]);
    for (const path of ['mcp', '_docent/assistant/message', '_docent/playground']) {
      const answer = await fetch(`${onLocalhost.apiUrl}/sites/docent/${path}`, {
        method: 'POST',
        body: '{}',
        redirect: 'manual',
      });
      expect([path, answer.status, answer.headers.get('location')]).toEqual([
        path,
        308,
        `${own}/${path}`,
      ]);
    }
  });

  test('are subdomains of the sites domain, with the scheme and port of the public address, in all output', async () => {
    const own = `https://one.${SITES}:8443`;
    expect(withDomain.siteUrl).toBe(`https://docent.${SITES}:8443/`);
    const { projects } = (await (
      await call(local(withDomain), withDomain.adminKey, 'GET', '/v1/projects')
    ).json()) as {
      projects: { slug: string; url: string }[];
    };
    expect(projects.map(({ url }) => url)).toEqual(
      ['docent', 'one', 'two'].map((slug) => `https://${slug}.${SITES}:8443`),
    );
    expect(
      await moved(withDomain, 'platform.acme.example:8443', '/sites/one/guides/install?a=b'),
    ).toEqual([308, `${own}/guides/install?a=b`]);
    for (const path of [
      '/guides/install',
      '/guides/install.md',
      '/sitemap.xml',
      '/robots.txt',
      '/llms.txt',
      '/llms-full.txt',
    ]) {
      const { status, body } = await getAs(withDomain.port, `one.${SITES}`, path);
      expect([path, status, body.toString()]).toEqual([path, 200, expect.stringContaining(own)]);
      expect(body.toString()).not.toContain('/sites/one');
    }
  });

  test('work as the domain of API operations, and are never a name of the platform', async () => {
    const api = local(withDomain);
    const { key } = (await (
      await call(api, api.adminKey, 'POST', '/v1/keys', {
        kind: 'assistant',
        site: `one.${SITES}`,
        name: 'domain',
      })
    ).json()) as { key: string };
    for (const domain of ['one', `one.${SITES}`, `One.${SITES}`.toUpperCase(), 'one.localhost']) {
      const found = await call(api, key, 'POST', `/v1/search/${domain}`, { query: 'install' });
      expect([domain, found.status]).toEqual([domain, 200]);
    }
    expect(
      (await call(api, key, 'POST', `/v1/search/two.${SITES}`, { query: 'install' })).status,
    ).toBe(403);
    expect(
      (await call(api, key, 'POST', '/v1/search/one.other.example', { query: 'install' })).status,
    ).toBe(404);
    const refused = await call(api, api.adminKey, 'POST', '/v1/projects', { slug: 'status' });
    expect([
      refused.status,
      ((await refused.json()) as { errors: { path: string }[] }).errors[0]?.path,
    ]).toEqual([400, '/slug']);
    for (const hostname of [
      `other.${SITES}`,
      SITES,
      `a.b.${SITES}`,
      'acme.example',
      'platform.acme.example',
    ]) {
      const claimed = await call(api, api.adminKey, 'POST', '/v1/projects', {
        slug: 'claims',
        hostnames: [hostname],
      });
      expect([hostname, claimed.status]).toEqual([hostname, 400]);
    }
  });

  test('never serve the API, unlike reserved names, and return 404 for unknown sites', async () => {
    for (const path of ['/v1/projects', '/metrics', '/openapi.json', '/sites/two/', '/healthz'])
      expect([path, (await getAs(withDomain.port, `one.${SITES}`, path)).status]).toEqual([
        path,
        404,
      ]);
    expect((await getAs(withDomain.port, `nobody.${SITES}`, '/')).status).toBe(404);
    for (const reserved of [SITES, `a.b.${SITES}`, `status.${SITES}`])
      expect([reserved, (await getAs(withDomain.port, reserved, '/v1/projects')).status]).toEqual([
        reserved,
        401,
      ]);
  });

  test('on the platform’s origin, by IP address or without a sites domain, are sandboxed', async () => {
    for (const host of [
      `127.0.0.1:${onLocalhost.port}`,
      '192.168.1.20:3000',
      '[::1]:3000',
      'colleagues-laptop:3000',
    ])
      expect(await policyOf(onLocalhost, host)).toEqual(sandboxed);
    expect(await policyOf(withDomain, `10.0.0.7:${withDomain.port}`)).toEqual(sandboxed);
    expect(await policyOf(withoutDomain, 'platform.acme.example:8443')).toEqual(sandboxed);
    expect(
      await policyOf(withoutDomain, `docent.localhost:${withoutDomain.port}`, '/quickstart'),
    ).toEqual([200, expect.not.stringContaining('sandbox')]);
    for (const path of [
      '/sites/docent/',
      '/sites/docent/nothing',
      '/sites/docent/mcp',
      '/sites/docent/_docent/oauth.html',
      '/sites/docent/favicon.svg',
    ]) {
      const [, policy] = await policyOf(withoutDomain, 'platform.acme.example', path);
      expect([path, policy]).toEqual([
        path,
        expect.stringMatching(/sandbox(?!.*allow-same-origin)/),
      ]);
    }
  });

  test('on the platform’s origin redirect, except preview images, which are served in a sandbox', async () => {
    const image = await getAs(
      withDomain.port,
      'platform.acme.example',
      '/sites/one/_docent/og/index.webp',
    );
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/webp']);
    expect(
      await policyOf(withDomain, 'platform.acme.example', '/sites/one/_docent/og/none.webp'),
    ).toEqual([404, expect.stringContaining('sandbox')]);
    for (const path of ['/sites/one/', '/sites/one/_docent/oauth.html', '/sites/one/favicon.svg'])
      expect([path, (await getAs(withDomain.port, 'platform.acme.example', path)).status]).toEqual([
        path,
        308,
      ]);
  });

  test('in a sandbox share only the theme’s files with other origins', async () => {
    const page = (
      await getAs(withoutDomain.port, 'platform.acme.example', '/sites/docent/quickstart')
    ).body.toString();
    const files = [
      ...page.matchAll(
        /(?:src|href|"index":)="?(\/sites\/docent\/[^"]+|[^"]*search-index[^"]*\.js)"/g,
      ),
    ].map(([, path]) => path as string);
    const open: string[] = [];
    for (const path of new Set(files)) {
      const { headers } = await getAs(
        withoutDomain.port,
        'platform.acme.example',
        new URL(path, 'http://a/sites/docent/').pathname,
        { origin: 'null' },
      );
      if (headers['access-control-allow-origin'] !== undefined) open.push(path);
    }
    expect(open.length).toBeGreaterThan(0);
    for (const path of open)
      expect(path).toMatch(/^\/sites\/docent\/_docent\/(?!search-index).+\.(?:js|css|woff2)$/);
    for (const path of ['mcp', '_docent/assistant/message']) {
      const refused = await fetch(`http://127.0.0.1:${withoutDomain.port}/sites/docent/${path}`, {
        method: 'POST',
        body: '{}',
        headers: { origin: 'null', 'content-type': 'application/json' },
      });
      expect([path, refused.status]).toEqual([path, 403]);
    }
  });

  test('answer like the platform with what browsers must know, in every answer: a page, data, an error, a redirect, a file', async () => {
    const platform = [
      '/',
      '/dashboard',
      '/dashboard/sign-in',
      '/v1/projects',
      '/v1/nothing',
      '/nothing',
      '/openapi.json',
      '/widget.js',
    ];
    const more = [
      '/widget-texts.json',
      '/healthz',
      '/v1/session',
      '/dashboard/assets/none.js',
      '/sites/docent/quickstart',
      '/sites/%00/',
    ];
    const site = [
      '/quickstart',
      '/quickstart.md',
      '/nothing',
      '/favicon.svg',
      '/sitemap.xml',
      '/llms.txt',
      '/_docent/nothing',
      '/mcp',
    ];
    const asked = [
      ...[...platform, ...more].map((path) => ['platform.acme.example', path] as const),
      ...site.map((path) => [`docent.${SITES}`, path] as const),
    ];
    const faults: string[] = [];
    for (const [host, path] of asked) {
      for (const accept of ['text/html', 'application/json']) {
        const { headers } = await getAs(withDomain.port, host, path, { accept });
        const of = `${host}${path} as ${accept}`;
        if (headers['x-content-type-options'] !== 'nosniff') faults.push(`${of}: no nosniff`);
        if (!/frame-ancestors|sandbox/.test(String(headers['content-security-policy'])))
          faults.push(`${of}: may be framed`);
        if (headers['strict-transport-security'] !== 'max-age=31536000; includeSubDomains')
          faults.push(`${of}: no HSTS`);
      }
    }
    expect(faults).toEqual([]);
    const socket = connect(withDomain.port, '127.0.0.1').setEncoding('utf8');
    socket.write('GET / HTTP/9.9\r\n\r\n');
    const malformed = (await socket.toArray()).join('');
    expect(malformed).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*x-content-type-options: nosniff\r\ncontent-security-policy: frame-ancestors 'none'/,
    );
    expect((await getAs(onLocalhost.port, '127.0.0.1', '/v1/projects')).headers).not.toHaveProperty(
      'strict-transport-security',
    );
  });

  test('below a path of a website do not set its HTTPS policy, and a preview has no path', async () => {
    const policyAt = async (host: string) =>
      (await getAs(withDomain.port, host, '/quickstart')).headers['strict-transport-security'];
    const api = local(withDomain);
    const setPublicUrl = (publicUrl: string | null) =>
      call(api, api.adminKey, 'PATCH', '/v1/projects/docent', { settings: { publicUrl } });
    // A former attempt has set it.
    await setPublicUrl(null);
    await expect
      .poll(() => policyAt(`docent.${SITES}`))
      .toBe('max-age=31536000; includeSubDomains');
    await setPublicUrl('https://www.acme.example/docs');
    await until(async () =>
      (await getAs(withDomain.port, `docent.${SITES}`, '/docs/quickstart')).status === 200
        ? true
        : undefined,
    );
    expect(await policyAt(`docent.${SITES}`)).toBeUndefined();
    const preview = tarball(fixtureSite('small'));
    const sent = await fetch(`${api.apiUrl}/v1/project/docent/source?preview=next`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${api.adminKey}`, 'content-type': 'application/gzip' },
      body: preview,
    });
    expect(sent.status).toBe(202);
    const page = await until(async () => {
      const { status, body: html } = await getAs(
        withDomain.port,
        `next--docent.${SITES}`,
        '/guides/install',
      );
      return status === 200 ? html.toString() : undefined;
    });
    expect(page).toContain('href="/guides/components"');
    // Only the bar of the preview leads to the live site, for pages that the preview lacks.
    expect(page.replace(/<section class="d-draft".*?<\/section>/s, '')).not.toContain('/docs/');
  });

  test('on the platform’s origin are reported in one line at the start', () => {
    const lines = withoutDomain
      .log()
      .split('\n')
      .filter((line) => line.includes('DOCENT_SITES_DOMAIN'));
    expect(lines).toHaveLength(1);
    expect(withDomain.log()).not.toContain('DOCENT_SITES_DOMAIN');
  });
});
