import { z } from 'zod';
import { loadThemeFiles } from '../../../compiler/assets/theme-files.ts';
import { localeOf } from '../../../theme/translations/locale.ts';
import { TRANSLATIONS } from '../../../theme/translations/translations.ts';
import type { App } from '../../app-types.ts';
import { chooseEncoding } from '../site/body-cache.ts';

/** The address is written into pages of others and stays; what stands there changes with each version. */
const CACHE = 'public, max-age=300, must-revalidate';

/** A text that is new with a version is English in the script until then. */
const TEXTS_CACHE = 'public, max-age=3600';

const textsQuery = z.object({ language: z.string().max(64).default('en') });

/** `GET /widget.js`: the script that puts an assistant on any page; `GET /widget-texts.json`: what it says in a language but English. */
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
        messages: TRANSLATIONS[code].assistant,
      });
    },
  });
}

let theme: ReturnType<typeof loadThemeFiles> | undefined;

/** Read with the first request: the API runs without a theme too. */
function loadedTheme(): ReturnType<typeof loadThemeFiles> {
  theme ??= loadThemeFiles();
  return theme;
}
