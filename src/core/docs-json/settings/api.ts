import { z } from 'zod';
import { sampleLanguages } from '../../api-reference/samples/sample-languages.ts';
import { about, orShort, SHORT_TEXT, withoutEffect } from '../annotations.ts';
import { filledText, listOf, openApiSources } from '../schema-parts.ts';
import type { ApiExamples, SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

type Display = SiteConfig['api']['playground'];

/** What older files called the playground's modes. */
const OLD_MODES: Record<'show' | 'simple' | 'hide', Display> = { show: 'interactive', simple: 'simple', hide: 'none' };
const ADDRESS_TEXT = 'an http or https address';

const address = z
  .string({ error: ADDRESS_TEXT })
  .trim()
  .regex(/^(?:[hH][tT][tT][pP][sS]?:\/\/|\{)/, { error: ADDRESS_TEXT });
const addresses = orShort(
  z.preprocess((value) => (Array.isArray(value) ? value : [value]), listOf(address)),
  SHORT_TEXT,
);

const METHODS = ['bearer', 'basic', 'key', 'none'] as const;
const auth = z.object({
  method: orShort(
    about(
      // `cobo` signs requests in a way of its own; a key in a header is what it shares with the others.
      z.preprocess((value) => (value === 'cobo' ? 'key' : value), z.enum(METHODS)),
      'How requests authenticate.',
    ),
    { const: 'cobo' },
  ).optional(),
  name: about(filledText, 'The name of the header that holds the key.').optional(),
  inputPrefix: about(z.string(), 'What is sent before the key.').optional(),
});

const playground = z.object({
  display: withoutEffect(
    about(
      z.enum(['interactive', 'simple', 'none', 'auth']),
      'What API pages show of a request: a form that sends it, the request alone, or neither.',
    ),
    { auth: 'every reader of the page can send requests' },
  ).optional(),
  mode: about(z.enum(['show', 'simple', 'hide']), 'An older spelling of "display".').optional(),
  proxy: about(
    z.boolean(),
    "Whether the server of the site passes the calls on, to the servers of the API's description alone. Otherwise the reader's browser calls the API itself, which the API must allow (CORS).",
  ).default(false),
  disableProxy: about(z.boolean(), 'An older spelling of "proxy": false, which is the default.').optional(),
  credentials: about(z.boolean(), 'Whether requests carry the cookies that the browser has for the API.').optional(),
});

const params = z.object({
  expanded: orShort(
    about(
      z.preprocess((value) => (value === true ? 'all' : value === false ? 'closed' : value), z.enum(['closed', 'all'])),
      'Whether fields inside fields are open at first.',
    ),
    { type: 'boolean' },
  ).optional(),
  post: about(
    listOf(filledText),
    'Keywords of a description, such as "x-since", that fields show behind their names: a text as it is, true as the keyword, a list as one pill for each.',
  ).default([]),
});

const LANGUAGE_TEXT = `one of ${[...sampleLanguages.keys()].join(', ')}`;

const sampleLanguage = z
  .string({ error: LANGUAGE_TEXT })
  .transform((name) => name.trim().toLowerCase())
  .refine((name) => sampleLanguages.has(name), { error: LANGUAGE_TEXT });

const examples = z.object({
  languages: about(listOf(sampleLanguage), 'The languages of request examples in the order of their tabs.').optional(),
  defaults: about(z.enum(['all', 'required']), 'Whether examples hold every field or only the required ones.').default('all'),
  prefill: about(z.boolean(), 'Whether the fields of a request begin with the examples in them.').optional(),
  autogenerate: about(z.boolean(), 'Whether examples are generated in the languages that the description has none in.').default(
    true,
  ),
});

const shape = z.object({
  openapi: about(openApiSources, 'OpenAPI files that pages are made from: a path, several, or {"source", "directory"}.').default(
    [],
  ),
  asyncapi: about(openApiSources, 'AsyncAPI files that pages are made from.').default([]),
  playground: about(playground, 'What API pages show of a request.').optional(),
  params: about(params, 'How fields are shown.').optional(),
  url: about(z.enum(['full']), 'The whole address of an operation is shown, here always.').optional(),
  examples: about(examples, 'The request examples that are made for operations.').optional(),
  mdx: about(
    z.object({
      auth: about(auth, 'How requests authenticate.').optional(),
      server: about(addresses, 'The address of the API, or several.').optional(),
    }),
    'API pages that are written by hand.',
  ).optional(),
  baseUrl: about(addresses, 'An older spelling of "mdx.server".').optional(),
  auth: about(auth, 'An older spelling of "mdx.auth".').optional(),
});

/**
 * `api`: the API descriptions that pages are made from, how their pages look, and for hand-written API pages (`mdx`) the
 * servers and the way to authenticate. `baseUrl`, `auth` and `playground.mode` are older spellings.
 */
export const api: Setting<SiteConfig['api']> = {
  schema: about(shape.transform(readApi), 'The API that the documentation describes.'),
  fallback: { openapi: [], asyncapi: [], playground: 'interactive', baseUrls: [] },
};

function readApi(raw: z.output<typeof shape>): SiteConfig['api'] {
  const chosen = raw.mdx?.auth ?? raw.auth;
  return {
    openapi: raw.openapi,
    asyncapi: raw.asyncapi,
    playground: raw.playground?.display ?? OLD_MODES[raw.playground?.mode ?? 'show'],
    baseUrls: raw.mdx?.server ?? raw.baseUrl ?? [],
    ...(chosen?.method ? { authMethod: chosen.method } : {}),
    ...(chosen?.name ? { authName: chosen.name } : {}),
    ...(chosen?.inputPrefix ? { authPrefix: chosen.inputPrefix } : {}),
    ...(raw.playground?.credentials ? { withCookies: true } : {}),
    ...(raw.playground?.proxy ? { isProxied: true } : {}),
    ...(raw.params?.expanded === 'all' ? { expandParams: true } : {}),
    ...(raw.params && raw.params.post.length > 0 ? { paramPills: raw.params.post } : {}),
    ...(raw.examples ? { examples: readExamples(raw.examples) } : {}),
  };
}

function readExamples({ languages, defaults, autogenerate, prefill }: z.output<typeof examples>): ApiExamples {
  return {
    requiredOnly: defaults === 'required',
    autogenerate,
    ...(languages && languages.length > 0 ? { languages } : {}),
    ...(prefill ? { prefill } : {}),
  };
}
