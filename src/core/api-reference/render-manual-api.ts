import type { PageRenderer } from '../content/page-renderer.ts';
import type { SiteConfig } from '../docs-json/site-config.ts';
import { emptyHtml, html } from '../html.ts';
import { curlSample } from './curl-sample.ts';
import { endpointBar } from './endpoint-markup.ts';
import { exampleGroup } from './example-markup.ts';
import { examplesPlace } from './examples-place.ts';
import { section } from './operation-sections.ts';
import type { RenderedApiPage } from './render-operation.ts';
import { codeSpan } from './schema-markdown.ts';

/** Frontmatter `api` after reading. */
export interface ManualEndpoint {
  /** Upper case. */
  method: string;
  /** As written: a path or a whole address. */
  route: string;
}

export interface ManualApiOptions {
  /** Frontmatter `authMethod`; wins over the site's setting. */
  authMethod?: string;
  deprecated?: boolean;
  /** The page has a `RequestExample` of its own: no example is made then. */
  hasOwnExample?: boolean;
}

const REFERENCE = /^(get|post|put|patch|delete|head|options|trace|query|wss?)\s+(\S.*)$/i;

/** Reads `METHOD path` or `METHOD https://…`. A path alone is a GET. Undefined where it is neither. */
export function parseManualApi(api: string): ManualEndpoint | undefined {
  const text = api.slice(0, 2_000).trim();
  const match = REFERENCE.exec(text);
  if (match) return { method: (match[1] as string).toUpperCase(), route: (match[2] as string).trim() };
  return /^(\/|https?:\/\/)\S*$/.test(text) ? { method: 'GET', route: text } : undefined;
}

/**
 * The bar of a hand-written endpoint page, with a cURL example in the right rail; the page's own fields follow. Where `api`
 * names no method and path, the page says nothing and the author is warned.
 */
export function renderManualEndpoint(
  api: string,
  config: SiteConfig['api'],
  page: PageRenderer,
  options: ManualApiOptions = {},
): RenderedApiPage {
  const endpoint = parseManualApi(api);
  if (!endpoint) {
    const remedy = 'Write a method and a path, for example "POST /users/{id}".';
    page.warn('invalid-api', `The frontmatter \`api\` names no endpoint: "${api.slice(0, 100)}".`, remedy);
    return { html: emptyHtml, markdown: '', sections: [] };
  }
  const isAbsolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(endpoint.route);
  const servers = isAbsolute ? [] : config.baseUrls.map((url) => ({ url: url.replace(/\/+$/, '') }));
  const path = isAbsolute || endpoint.route.startsWith('/') ? endpoint.route : `/${endpoint.route}`;
  const bar = { method: endpoint.method, route: path, servers, deprecated: options.deprecated === true };
  const isHttp = !endpoint.method.startsWith('WS');
  if (config.playground !== 'none' && !options.hasOwnExample && isHttp) {
    const url = isAbsolute ? path : `${servers[0]?.url ?? 'https://api.example.com'}${path}`;
    const code = curlSample({ method: endpoint.method, url, headers: authHeaders(config, options.authMethod) });
    const group = exampleGroup(page, [{ language: 'bash', label: 'cURL', code }], 'request-example');
    if (group) page.addAside(group);
  }
  const address = `${endpoint.method} ${servers[0]?.url ?? ''}${path}`;
  return { html: html`${endpointBar(bar)}${examplesPlace}`, markdown: codeSpan(address), sections: [section(address, address)] };
}

function authHeaders(config: SiteConfig['api'], pageMethod: string | undefined): [string, string][] {
  const method = pageMethod ?? config.authMethod ?? 'none';
  if (method === 'bearer') return [[config.authName ?? 'Authorization', 'Bearer <token>']];
  if (method === 'basic') return [[config.authName ?? 'Authorization', 'Basic <credentials>']];
  return method === 'key' ? [[config.authName ?? 'X-API-Key', '<api-key>']] : [];
}
