import { z } from 'zod';
import { loadThemeFiles } from '../../../compiler/assets/dist-files.ts';
import { localeOf } from '../../../theme/translations/locale.ts';
import { assistantMessages, TRANSLATIONS } from '../../../theme/translations/translations.ts';
import type { App } from '../../app-types.ts';
import { chooseEncoding } from '../site/body-cache.ts';

/** Other sites embed this URL, so it is stable; its content changes with each version. */
const CACHE = 'public, max-age=300, must-revalidate';

/** Until then, texts added in a new version are in English. */
const TEXTS_CACHE = 'public, max-age=3600';

const textsQuery = z.object({ language: z.string().max(64).default('en') });

/**
 * `GET /widget.js`: serves the script that adds an assistant to any page; `GET /widget-texts.json`: its texts in languages other
 * than English.
 */
export function widgetRoute(app: App): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/widget.js',
    schema: { hide: true },
    handler: async (request, reply) => {
      const file = (await loadedTheme()).get('widget.js');
      if (!file) return reply.callNotFound();
      const encoding = chooseEncoding(request.headers['accept-encoding']);
      const etag = `"${file.sha256.slice(0, 16)}${encoding === 'identity' ? '' : `-${encoding}`}"`;
      reply
        .header('cache-control', CACHE)
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('x-content-type-options', 'nosniff')
        .header('vary', 'accept-encoding')
        .header('etag', etag)
        .type(file.type);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.send({ br: file.brotli, gzip: file.gzip, identity: file.bytes }[encoding]);
    },
  });

  app.route({
    method: 'GET',
    url: '/widget-texts.json',
    schema: { hide: true, querystring: textsQuery },
    handler: async (request, reply) => {
      const { tag, direction, code } = localeOf(request.query.language);
      reply
        .header('cache-control', TEXTS_CACHE)
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('x-content-type-options', 'nosniff');
      const isEnglish = code === 'en';
      return reply.send({
        tag: isEnglish ? 'en' : tag,
        direction: isEnglish ? 'ltr' : direction,
        messages: assistantMessages(TRANSLATIONS[code]),
      });
    },
  });
}

let theme: ReturnType<typeof loadThemeFiles> | undefined;

/** Loaded with the first request: the API also runs without a theme. */
function loadedTheme(): ReturnType<typeof loadThemeFiles> {
  theme ??= loadThemeFiles();
  return theme;
}
