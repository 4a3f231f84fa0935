import type { PageRenderer } from '../../content/page/page-renderer.ts';
import type { PlaygroundDisplay, SiteConfig } from '../../docs-json/site-config.ts';
import { emptyHtml, html } from '../../html.ts';
import type { Credential } from '../authorizations.ts';
import { isInteractive, playgroundOpener } from '../playground/playground-markup.ts';
import { credentialInput, isCallable, withSettings } from '../playground/read-inputs.ts';
import type { RequestInputs } from '../request-inputs.ts';
import { curlSample } from '../samples/sample-languages.ts';
import { codeSpan } from '../schemas/schema-markdown.ts';
import { withoutSlash } from '../servers.ts';
import { endpointBar } from './endpoint-markup.ts';
import { addExamples } from './example-markup.ts';
import { examplesPlace } from './examples-place.ts';
import { section } from './operation-sections.ts';
import type { RenderedApiPage } from './render-operation.ts';

/** Parsed frontmatter `api`. */
export interface ManualEndpoint {
  /** Upper case. */
  method: string;
  /** As written: a path or an absolute URL. */
  route: string;
}

export interface ManualApiOptions {
  /** Frontmatter `authMethod`; overrides the site's setting. */
  authMethod?: string;
  deprecated?: boolean;
  /** How the page shows the request; absent: the site's setting. */
  display?: PlaygroundDisplay;
  /** The page has its own `RequestExample`, so no example is generated. */
  hasOwnExample?: boolean;
}

const KINDS = ['bearer', 'basic', 'key'] as const;

const REFERENCE = /^(get|post|put|patch|delete|head|options|trace|query|wss?)\s+(\S.*)$/i;

/**
 * Parses `METHOD path` or `METHOD https://…`. A bare path is a GET. Returns undefined if it is
 * neither.
 */
export function parseManualApi(api: string): ManualEndpoint | undefined {
  const text = api.slice(0, 2_000).trim();
  const match = REFERENCE.exec(text);
  if (match)
    return { method: (match[1] as string).toUpperCase(), route: (match[2] as string).trim() };
  return /^(\/|https?:\/\/)\S*$/.test(text) ? { method: 'GET', route: text } : undefined;
}

/**
 * Renders the bar of a hand-written endpoint page, with a cURL example in the right rail; the
 * page's own fields follow. If `api` contains no method and path, renders nothing and warns the
 * author.
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
    page.warn(
      'invalid-api',
      `The frontmatter \`api\` names no endpoint: "${api.slice(0, 100)}".`,
      remedy,
    );
    return { html: emptyHtml, markdown: '', sections: [] };
  }
  const isAbsolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(endpoint.route);
  const servers = isAbsolute ? [] : config.baseUrls.map((url) => ({ url: withoutSlash(url) }));
  const path = isAbsolute || endpoint.route.startsWith('/') ? endpoint.route : `/${endpoint.route}`;
  const bar = {
    method: endpoint.method,
    route: path,
    servers,
    deprecated: options.deprecated === true,
  };
  const display = options.display ?? config.playground;
  const credential = manualCredential(config, options.authMethod);
  const isHttp = !endpoint.method.startsWith('WS');
  if (display !== 'none' && !options.hasOwnExample && isHttp) {
    const url = isAbsolute ? path : `${servers[0]?.url ?? 'https://api.example.com'}${path}`;
    const code = curlSample({
      method: endpoint.method,
      url,
      headers: credential ? [[credential.name, credential.sample]] : [],
    });
    addExamples(page, [{ language: 'bash', label: 'cURL', code }], 'request-example');
  }
  const address = `${endpoint.method} ${servers[0]?.url ?? ''}${path}`;
  // The form takes its fields in the browser from those on the page.
  const inputs: RequestInputs = {
    method: endpoint.method,
    route: path,
    servers,
    security: credential ? [[credentialInput(credential)]] : [],
    parameters: [],
    bodies: [],
    byHand: true,
  };
  const isOpened = isInteractive(display) && isCallable(endpoint.method);
  const opener = isOpened ? playgroundOpener(page, withSettings(inputs, config)) : undefined;
  const line = display !== 'none' && endpointBar({ ...bar, action: opener?.button });
  return {
    html: html`${line}${opener?.data}${examplesPlace}`,
    markdown: codeSpan(address),
    sections: [section(address, address)],
  };
}

function manualCredential(
  config: SiteConfig['api'],
  pageMethod: string | undefined,
): Credential | undefined {
  const kind = KINDS.find((candidate) => candidate === (pageMethod ?? config.authMethod));
  if (kind === undefined) return undefined;
  const { authName: name = kind === 'key' ? 'X-API-Key' : 'Authorization', authPrefix: prefix } =
    config;
  const samples = {
    bearer: 'Bearer <token>',
    basic: 'Basic <credentials>',
    key: `${prefix ?? ''}<api-key>`,
  };
  return { name, place: 'header', kind, prefix, sample: samples[kind], description: '' };
}
