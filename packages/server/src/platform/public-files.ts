import { readFile } from 'node:fs/promises';
import { loadThemeFiles } from '@docent/compiler/assets/dist-files.ts';
import { DocentError, type ErrorCode, errorCatalog } from '@docent/format/errors.ts';
import {
  assistantMessages,
  localeOf,
  TRANSLATIONS,
} from '@docent/theme/translations/translations.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { bodyEtag, chooseEncoding, isUnchanged } from '../kernel/http/representations.ts';

const HOUR_CACHE = 'public, max-age=3600';

/** What the schemas are made of is large, so it is loaded when an editor requests one. */
const FILE_SCHEMAS = {
  '/schema/docs.json': async () =>
    (await import('@docent/format/docs-json/json-schema.ts')).editorSchema,
  '/schema/questions.json': async () =>
    (await import('@docent/format/questions/question-file.ts')).questionFileSchema,
};

/**
 * `GET /schema/docs.json` and `/schema/questions.json`: serve the JSON Schemas of docs.json and questions.yaml, for editors.
 */
export function fileSchemaRoutes(app: App, deps: Pick<Deps, 'config'>): void {
  for (const [path, loadSchema] of Object.entries(FILE_SCHEMAS)) {
    let body: string | undefined;
    app.get(path, async (_request, reply) => {
      body ??= JSON.stringify((await loadSchema())(deps.config.publicUrl + path));
      return reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', HOUR_CACHE)
        .type('application/schema+json')
        .send(body);
    });
  }
}

/** `security.txt` must not be older than a year (RFC 9116 §2.5.5); it is dated anew each day. */
const CONTACT_DAYS = 180;

/**
 * `GET /.well-known/security.txt`: names whom to tell about a vulnerability (RFC 9116), if the operator set it.
 */
export function securityContactRoute(
  app: App,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
): void {
  app.get('/.well-known/security.txt', { schema: { hide: true } }, async (_request, reply) => {
    const { securityContact, publicUrl } = config;
    if (securityContact === undefined)
      throw new DocentError(
        'route_not_found',
        'The operator of this server named no contact for security (DOCENT_SECURITY_CONTACT).',
      );
    const expires = new Date(clock.now().getTime() + CONTACT_DAYS * 86_400_000)
      .toISOString()
      .slice(0, 10);
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires}T00:00:00.000Z`,
      `Canonical: ${publicUrl}/.well-known/security.txt`,
      'Preferred-Languages: en',
    ];
    return reply
      .header('cache-control', HOUR_CACHE)
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`);
  });
}

/** `GET /openapi.json`: serves the description of this API, OpenAPI 3.1. */
export function openApiRoute(app: App): void {
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('access-control-allow-origin', '*').send(await app.describeRoutes()),
  );
}

/**
 * `GET /errors/{code}`: serves the target of a problem's `type`, a page of our documentation as Markdown.
 */
export function errorPageRoute(app: App): void {
  app.get(
    '/errors/:code',
    { schema: { params: z.object({ code: z.string() }) } },
    async (request, reply) => {
      const { code } = request.params;
      if (!Object.hasOwn(errorCatalog, code))
        throw new DocentError('route_not_found', 'There is no error with that name.');
      const text = await explain(code as ErrorCode);
      return reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', HOUR_CACHE)
        .type('text/plain; charset=utf-8')
        .send(text);
    },
  );
}

const HELP_PAGE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)?$/;
/** The site that a first start publishes, with our documentation. */
const SAMPLE = { slug: 'docent', name: 'Docent' };

/**
 * `GET /help/{page}`: leads to a page of our documentation: on the sample site while this server has it, otherwise the page as
 * Markdown, which needs nothing but this process.
 */
export function helpRoute(app: App, { liveSites }: Pick<Deps, 'liveSites'>): void {
  app.get(
    '/help/*',
    { schema: { hide: true, params: z.object({ '*': z.string() }) } },
    async (request, reply) => {
      const page = request.params['*'];
      if (!HELP_PAGE.test(page))
        throw new DocentError('route_not_found', 'The documentation has no page with that name.');
      const sample = await liveSites.find(SAMPLE.slug);
      const isOurs =
        sample?.build.config.name === SAMPLE.name &&
        sample.build.pages.some(({ path }) => path === page);
      if (isOurs) return reply.redirect(`${sample.publicUrl.replace(/\/$/, '')}/${page}`, 302);
      const text = await readFile(
        new URL(`../../../../docs/${page}.mdx`, import.meta.url),
        'utf8',
      ).catch(() => undefined);
      if (text === undefined)
        throw new DocentError('route_not_found', 'The documentation has no page with that name.');
      return reply.header('cache-control', HOUR_CACHE).type('text/plain; charset=utf-8').send(text);
    },
  );
}

async function explain(code: ErrorCode): Promise<string> {
  const page = await readFile(
    new URL(`../../../../docs/errors/${code}.mdx`, import.meta.url),
    'utf8',
  ).catch(() => '');
  const text = page.replace(/^---\n.*?\n---\n/s, '').replace(/^<Badge.*<\/Badge>$/gm, '');
  return `# ${errorCatalog[code].title}\n\nCode: ${code}\n\n${text.trim()}`.trim().concat('\n');
}

/** Other sites embed this URL, so it is stable; its content changes with each version. */
const WIDGET_CACHE = 'public, max-age=300, must-revalidate';

/**
 * `GET /widget.js`: serves the script that adds an assistant to any page; `GET /widget-texts.json`: its texts in languages other
 * than English; `GET /widget-colors.json`: the colors of a site, which its pages show to everybody.
 */
export function widgetRoute(app: App, { liveSites }: Pick<Deps, 'liveSites'>): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/widget.js',
    handler: async (request, reply) => {
      const file = (await loadThemeFiles()).get('widget.js');
      if (!file) return reply.callNotFound();
      const encoding = chooseEncoding(request.headers['accept-encoding']);
      const etag = bodyEtag(file.sha256.slice(0, 16), encoding);
      reply
        .header('cache-control', WIDGET_CACHE)
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('vary', 'accept-encoding')
        .header('etag', etag)
        .type(file.type);
      if (isUnchanged(request.headers, etag)) return reply.code(304).send();
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.send(file[encoding]);
    },
  });

  app.get(
    '/widget-texts.json',
    { schema: { querystring: z.object({ language: z.string().max(64).default('en') }) } },
    async (request, reply) => {
      const { tag, direction, code } = localeOf(request.query.language);
      // Until then, texts added in a new version are in English.
      reply.headers(FOR_ANY_PAGE);
      const isEnglish = code === 'en';
      return reply.send({
        tag: isEnglish ? 'en' : tag,
        direction: isEnglish ? 'ltr' : direction,
        messages: assistantMessages(TRANSLATIONS[code]),
      });
    },
  );

  app.get(
    '/widget-colors.json',
    { schema: { querystring: z.object({ domain: z.string().min(1).max(253) }) } },
    async (request, reply) => {
      const site = await liveSites.find(request.query.domain);
      const { primary, light } = site?.build.config.colors ?? {};
      return reply
        .headers(FOR_ANY_PAGE)
        .send({ light: primary ?? null, dark: (light || primary) ?? null });
    },
  );
}

const FOR_ANY_PAGE = {
  'cache-control': HOUR_CACHE,
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};
