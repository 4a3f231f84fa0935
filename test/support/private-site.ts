import { publishSite } from '../../packages/server/src/publishing/publish-site.ts';
import { openLiveSites } from '../../packages/server/src/serving/open-live-sites.ts';
import { siteRoutes } from '../../packages/server/src/serving/routes.ts';
import { buildApp } from '../../packages/server/src/start/http-app.ts';
import { type Call, callDeclared } from './declared.ts';
import { fixtureSite, tarball } from './http.ts';
import { addKey, addOrganization, addSite, openTestApp, type TestAppOptions } from './test-app.ts';

/**
 * Publishes a folder, the fixture site `basic` unless another is named, on an application of its own, for tests of how readers sign
 * in.
 */
export async function openPrivateSite(
  slug: string,
  options: TestAppOptions = {},
  folder = fixtureSite('small'),
) {
  const test = await openTestApp(options);
  const deps = {
    ...test.deps,
    liveSites: Object.assign(openLiveSites(test.deps), { add: () => {} }),
  };
  const app = await buildApp(deps, { plugins: [siteRoutes(deps)] });
  const operator = await addOrganization(test);
  const { headers } = await addKey(test, operator, { kind: 'admin', expiresInDays: null });
  const { siteId } = await addSite(test, operator, slug);
  const host = `${slug}.localhost:3000`;
  const call = (method: Call['method'], url: string, payload?: object) =>
    callDeclared(app, {
      method,
      url: `/v1/projects/${slug}/${url}`,
      headers,
      ...(payload && { payload }),
    });
  const publish = async () => {
    const uploaded = await callDeclared(app, {
      method: 'PUT',
      url: `/v1/project/${slug}/source`,
      headers: { ...headers, 'content-type': 'application/gzip' },
      payload: Buffer.from(tarball(folder)),
    });
    const context = { signal: new AbortController().signal, attempt: 1, lastAttempt: false };
    await publishSite(deps, uploaded.json().statusId, context);
    deps.clock.advance(2);
  };
  await publish();
  return {
    test,
    app,
    deps,
    operator,
    slug,
    siteId,
    host,
    call,
    /** Publishes the folder again, with pages for groups if readers can sign in now. */
    publish,
    /** Reads an operation of the API as an admin. */
    get: (url: string) => callDeclared(app, { method: 'GET', url, headers }),
    /** Changes who may read the site, and lets the change take effect. */
    async change(payload: object) {
      const answer = await call('PATCH', 'access', payload);
      if (answer.statusCode !== 200) throw new Error(answer.body);
      deps.clock.advance(2);
      return answer.json();
    },
    visit: (url = '/guides/install', more: Record<string, string> = {}) =>
      app.inject({ url, headers: { host, accept: 'text/html', ...more } }),
    /** Sends a form as a page of the site does. */
    send: (url: string, form: Record<string, string>, more: Record<string, string> = {}) =>
      app.inject({
        method: 'POST',
        url,
        headers: {
          host,
          origin: `http://${host}`,
          'content-type': 'application/x-www-form-urlencoded',
          ...more,
        },
        payload: new URLSearchParams(form).toString(),
      }),
    async close() {
      await app.close();
      await test.close();
    },
  };
}

/** Returns the cookies that a response sets, as a browser sends them. */
export function cookiesIn(headers: Record<string, unknown>): { cookie: string } {
  const cookies = [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0]);
  return { cookie: cookies.filter((cookie) => !cookie?.endsWith('=')).join('; ') };
}
