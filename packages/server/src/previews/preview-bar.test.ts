import { randomUUID } from 'node:crypto';
import type { Actor } from '@docent/format/access/may.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { rawTarGz } from '../../../../test/support/raw-tar.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { publishSite } from '../publishing/publish-site.ts';
import { openLiveSites } from '../serving/open-live-sites.ts';
import { siteRoutes } from '../serving/routes.ts';
import { buildApp } from '../start/http-app.ts';

let test: TestApp;
let app: FastifyInstance;
let operator: Actor;
let headers: Record<string, string>;
let deps: TestApp['deps'];

beforeAll(async () => {
  test = await openTestApp();
  deps = { ...test.deps, liveSites: Object.assign(openLiveSites(test.deps), { add: () => {} }) };
  app = await buildApp(deps, { plugins: [siteRoutes(deps)] });
  operator = await addOrganization(test);
  headers = (await addKey(test, operator, { kind: 'admin', expiresInDays: null })).headers;
});
afterAll(async () => {
  await app.close();
  await test.close();
});

/** Publishes pages by path, each with its text; for a preview if one is named. */
async function publish(
  slug: string,
  pages: Record<string, string>,
  { preview, language }: { preview?: string; language?: string } = {},
) {
  test.deps.clock.advance(10);
  const groups = [{ group: 'Guides', pages: Object.keys(pages) }];
  const navigation = language === undefined ? { groups } : { languages: [{ language, groups }] };
  const config = { theme: 'mint', name: 'Acme', colors: { primary: '#4f46e5' }, navigation };
  const files = {
    'docs.json': JSON.stringify(config),
    ...Object.fromEntries(Object.entries(pages).map(([path, text]) => [`${path}.mdx`, text])),
  };
  const payload = Buffer.from(
    rawTarGz(Object.entries(files).map(([name, content]) => ({ name, content }))),
  );
  const url = `/v1/project/${slug}/source${preview === undefined ? '' : `?preview=${encodeURIComponent(preview)}`}`;
  const answer = await callDeclared(app, {
    method: 'PUT',
    url,
    headers: { ...headers, 'content-type': 'application/gzip' },
    payload,
  });
  expect(answer.statusCode, answer.body).toBe(202);
  const signal = new AbortController().signal;
  await publishSite(deps, answer.json().statusId, { signal, attempt: 1, lastAttempt: false });
}

async function newSite(): Promise<string> {
  const slug = `s${randomUUID().slice(0, 8)}`;
  await addSite(test, operator, slug);
  return slug;
}

const page = (title: string, text = 'Text') =>
  `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}\n`;
const visit = (label: string, url: string, more: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: `${label}.localhost:3000`, accept: 'text/html', ...more } });
const barOf = (body: string): string =>
  /<section class="d-draft".*?<\/section>/s.exec(body)?.[0] ?? '';
const linksOf = (bar: string) =>
  [...bar.matchAll(/<a href="([^"]*)"><span>(.*?)<\/span>/g)].map(([, href, title]) => [
    href,
    title,
  ]);

const LIVE = {
  index: page('Start'),
  kept: page('Kept'),
  old: page('Old <page>'),
  changed: page('Changed'),
};
const NEXT = {
  index: page('Start'),
  kept: page('Kept'),
  changed: page('Changed', 'New text'),
  fresh: page('Fresh & new'),
};

describe('the bar of a preview', () => {
  it('names the preview and links every page that it adds, changes or removes, and is on no page of the live site', async () => {
    const slug = await newSite();
    await publish(slug, LIVE);
    await publish(slug, NEXT, { preview: 'feature/<New>' });
    const label = `feature-new--${slug}`;
    for (const path of ['/', '/kept', '/fresh', '/nowhere']) {
      const { body } = await visit(label, path);
      const bar = barOf(body);
      expect(bar, path).toContain(
        '<strong>Preview</strong><bdi class="d-draft-name">feature/&lt;New&gt;</bdi>',
      );
      expect(bar).toContain('Changed pages: 3');
      expect(linksOf(bar)).toEqual([
        ['/fresh', 'Fresh &amp; new'],
        ['/changed', 'Changed'],
        [`http://${slug}.localhost:3000/old`, 'Old &lt;page&gt;'],
      ]);
    }
    for (const path of ['/', '/kept', '/nowhere']) {
      const { body } = await visit(slug, path);
      expect([barOf(body), body.includes('preview-bar')], path).toEqual(['', false]);
    }
  });

  it('adds no inline script, and its two files are of the site itself', async () => {
    const slug = await newSite();
    await publish(slug, LIVE);
    await publish(slug, NEXT, { preview: 'next' });
    const [shown, live] = [await visit(`next--${slug}`, '/kept'), await visit(slug, '/kept')];
    expect(shown.headers['content-security-policy']).toBe(live.headers['content-security-policy']);
    expect(shown.headers['content-security-policy']).not.toContain(
      "script-src 'self' 'unsafe-inline'",
    );
    const inline = (body: string) => body.match(/<script(?![^>]* src=)[^>]*>/g)?.length;
    expect(inline(shown.body)).toBe(inline(live.body));
    const files = shown.body.match(/\/_docent\/preview-bar-[0-9a-f]{10}\.(?:css|js)/g) ?? [];
    expect(files).toHaveLength(2);
    for (const file of files)
      expect((await visit(`next--${slug}`, file)).statusCode, file).toBe(200);
  });

  it('follows the live site, and the validators of pages with it', async () => {
    const slug = await newSite();
    await publish(slug, NEXT, { preview: 'next' });
    const label = `next--${slug}`;
    const first = await visit(label, '/kept');
    expect(barOf(first.body)).toContain('Nothing is live yet.');
    await publish(slug, LIVE);
    const etag = String(first.headers.etag);
    const second = await visit(label, '/kept', { 'if-none-match': etag });
    expect([second.statusCode, barOf(second.body).includes('Changed pages: 3')]).toEqual([
      200,
      true,
    ]);
    await publish(slug, NEXT);
    const third = barOf((await visit(label, '/kept')).body);
    expect([third.includes('Every page is the same as on the live site.'), linksOf(third)]).toEqual(
      [true, []],
    );
    expect(
      (await visit(label, '/kept', { 'if-none-match': String(second.headers.etag) })).statusCode,
    ).toBe(200);
  });

  it('lists at most 100 pages and says how many more there are', async () => {
    const slug = await newSite();
    const many = Object.fromEntries(
      Array.from({ length: 130 }, (_, index) => [`page-${index}`, page(`Page ${index}`)]),
    );
    await publish(slug, { index: page('Start') });
    await publish(slug, { index: page('Start'), ...many }, { preview: 'next' });
    const bar = barOf((await visit(`next--${slug}`, '/')).body);
    expect([linksOf(bar).length, bar.includes('And 30 more')]).toEqual([100, true]);
  });

  it('is in the language of the page', async () => {
    const slug = await newSite();
    await publish(slug, LIVE, { language: 'fr' });
    await publish(slug, NEXT, { preview: 'next', language: 'fr' });
    expect(barOf((await visit(`next--${slug}`, '/kept')).body)).toContain(
      'Par rapport au site en ligne',
    );
  });

  it('has the path of the preview in its links where the preview is below one', async () => {
    const slug = await newSite();
    await publish(slug, LIVE);
    await publish(slug, NEXT, { preview: 'next' });
    const { body } = await app.inject({
      url: `/sites/next--${slug}/kept`,
      headers: { host: '127.0.0.1:3000', accept: 'text/html' },
    });
    expect(linksOf(barOf(body))[0]).toEqual([`/sites/next--${slug}/fresh`, 'Fresh &amp; new']);
  });
});
