import * as z from 'zod';
import { about, orShort, SHORT_TEXT, setting, withoutEffect } from './annotations.ts';
import { SAMPLE_LANGUAGES } from './sample-languages.ts';
import { filledText, listOf, openApiSources } from './schema-parts.ts';

/** The playground modes of older files. */
const OLD_MODES = { show: 'interactive', simple: 'simple', hide: 'none' } as const;
const ADDRESS_TEXT = 'an http or https URL';

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
      // `cobo` signs requests in its own way; like the others, it uses a key in a header.
      z.preprocess((value) => (value === 'cobo' ? 'key' : value), z.enum(METHODS)),
      'How requests authenticate.',
    ),
    { const: 'cobo' },
  ).optional(),
  name: about(filledText, 'The name of the header with the key.').optional(),
  inputPrefix: about(z.string(), 'The prefix before the key.').optional(),
});

const display = z.enum(['interactive', 'simple', 'none', 'auth']);
/** How API pages show a request: a form that sends it, the request alone, or neither. */
export type PlaygroundDisplay = z.output<typeof display>;

const playground = z.object({
  display: withoutEffect(
    about(
      display,
      'How API pages show a request: with a form that sends it, as an example only, or not at all.',
    ),
    { auth: 'every reader of the page can send requests' },
  ).optional(),
  mode: about(z.enum(['show', 'simple', 'hide']), 'A deprecated name of "display".').optional(),
  proxy: about(
    z.boolean(),
    "Whether the server of the site proxies calls, only to the servers in the API description. Otherwise the reader's browser calls the API directly, which the API must allow (CORS).",
  ).default(false),
  disableProxy: about(
    z.boolean(),
    'A deprecated name of "proxy": false, which is the default.',
  ).optional(),
  credentials: about(
    z.boolean(),
    'Whether requests include the browser’s cookies for the API.',
  ).optional(),
});

const params = z.object({
  expanded: orShort(
    about(
      z.preprocess(
        (value) => (value === true ? 'all' : value === false ? 'closed' : value),
        z.enum(['closed', 'all']),
      ),
      'Whether nested fields are initially expanded.',
    ),
    { type: 'boolean' },
  ).optional(),
  post: about(
    listOf(filledText),
    'Keywords of a description, such as "x-since", that fields show after their names: a string unchanged, true as the keyword, an array as one pill for each item.',
  ).default([]),
});

const languageNames: readonly string[] = SAMPLE_LANGUAGES.flatMap(({ names }) => [...names]);
const LANGUAGE_TEXT = `one of ${languageNames.join(', ')}`;

const sampleLanguage = z
  .string({ error: LANGUAGE_TEXT })
  .transform((name) => name.trim().toLowerCase())
  .refine((name) => languageNames.includes(name), { error: LANGUAGE_TEXT });

const examples = z.object({
  languages: about(
    listOf(sampleLanguage),
    'The languages of request examples, in the order of their tabs.',
  ).optional(),
  defaults: about(
    z.enum(['all', 'required']),
    'Whether examples include all fields or only the required ones.',
  ).default('all'),
  prefill: about(
    z.boolean(),
    'Whether the fields of a request are prefilled with their examples.',
  ).optional(),
  autogenerate: about(
    z.boolean(),
    'Whether to generate examples in languages for which the description has none.',
  ).default(true),
});

const shape = z.object({
  openapi: about(
    openApiSources,
    'OpenAPI files from which pages are generated: a path, several, or {"source", "directory", "overlays"}.',
  ).default([]),
  asyncapi: about(openApiSources, 'AsyncAPI files from which pages are generated.').default([]),
  playground: about(playground, 'How API pages show a request.').optional(),
  params: about(params, 'How fields are shown.').optional(),
  url: about(
    z.enum(['full']),
    'Whether to show the full URL of an operation; here it is always shown.',
  ).optional(),
  examples: about(examples, 'The generated request examples.').optional(),
  mdx: about(
    z.object({
      auth: about(auth, 'How requests authenticate.').optional(),
      server: about(addresses, 'The base URL of the API, or several.').optional(),
    }),
    'Hand-written API pages.',
  ).optional(),
  baseUrl: about(addresses, 'A deprecated name of "mdx.server".').optional(),
  auth: about(auth, 'A deprecated name of "mdx.auth".').optional(),
});

type ReadApi = ReturnType<typeof readApi>;
type ApiSetting = Pick<ReadApi, 'openapi' | 'asyncapi' | 'playground' | 'baseUrls'> &
  Partial<ReadApi>;

export const api = setting<ApiSetting>(
  shape.transform(readApi),
  'The API that the documentation describes.',
  readApi(shape.parse({})),
);

function readApi(raw: z.output<typeof shape>) {
  const chosen = raw.mdx?.auth ?? raw.auth;
  return {
    openapi: raw.openapi,
    asyncapi: raw.asyncapi,
    playground: raw.playground?.display ?? OLD_MODES[raw.playground?.mode ?? 'show'],
    baseUrls: raw.mdx?.server ?? raw.baseUrl ?? [],
    authMethod: chosen?.method,
    authName: chosen?.name,
    authPrefix: chosen?.inputPrefix || undefined,
    withCookies: raw.playground?.credentials || undefined,
    isProxied: raw.playground?.proxy || undefined,
    expandParams: raw.params?.expanded === 'all' || undefined,
    paramPills: raw.params?.post.length ? raw.params.post : undefined,
    examples: raw.examples && readExamples(raw.examples),
  };
}

/** The request examples that are generated for operations. */
export type ApiExamples = ReturnType<typeof readExamples>;

function readExamples({
  languages = [],
  defaults,
  autogenerate,
  prefill,
}: z.output<typeof examples>) {
  return {
    requiredOnly: defaults === 'required',
    autogenerate,
    languages: languages.length > 0 ? languages : undefined,
    prefill: prefill || undefined,
  };
}
