import { z } from 'zod';
import { filledText, listOf, openApiSources } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

type Display = SiteConfig['api']['playground'];

/** What older files called the playground's modes. */
const OLD_MODES: Record<'show' | 'simple' | 'hide', Display> = { show: 'interactive', simple: 'simple', hide: 'none' };
const ADDRESS_TEXT = 'an http or https address';

const address = z
  .string({ error: ADDRESS_TEXT })
  .trim()
  .regex(/^(?:https?:\/\/|\{)/i, { error: ADDRESS_TEXT });
const addresses = z.preprocess((value) => (Array.isArray(value) ? value : [value]), listOf(address));
const auth = z.object({
  // `cobo` signs requests in a way of its own; a key in a header is what it shares with the others.
  method: z.preprocess((value) => (value === 'cobo' ? 'key' : value), z.enum(['bearer', 'basic', 'key', 'none'])).optional(),
  name: filledText.optional(),
});
const playground = z.object({
  display: z.enum(['interactive', 'simple', 'none', 'auth']).optional(),
  mode: z.enum(['show', 'simple', 'hide']).optional(),
});

/**
 * `api`: the API descriptions that pages are made from, and for hand-written API pages (`mdx`) the servers and the way to
 * authenticate. `baseUrl`, `auth` and `playground.mode` are older spellings.
 */
export const api: Setting<SiteConfig['api']> = {
  schema: z
    .object({
      openapi: openApiSources.default([]),
      asyncapi: openApiSources.default([]),
      playground: playground.optional(),
      mdx: z.object({ auth: auth.optional(), server: addresses.optional() }).optional(),
      baseUrl: addresses.optional(),
      auth: auth.optional(),
    })
    .transform((raw): SiteConfig['api'] => {
      const chosen = raw.mdx?.auth ?? raw.auth;
      return {
        openapi: raw.openapi,
        asyncapi: raw.asyncapi,
        playground: raw.playground?.display ?? OLD_MODES[raw.playground?.mode ?? 'show'],
        baseUrls: raw.mdx?.server ?? raw.baseUrl ?? [],
        ...(chosen?.method ? { authMethod: chosen.method } : {}),
        ...(chosen?.name ? { authName: chosen.name } : {}),
      };
    }),
  fallback: { openapi: [], asyncapi: [], playground: 'interactive', baseUrls: [] },
};
