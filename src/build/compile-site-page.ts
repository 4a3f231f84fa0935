import { renderChannel } from '../core/api-reference/render-channel.ts';
import { renderManualEndpoint } from '../core/api-reference/render-manual-api.ts';
import { renderOperation } from '../core/api-reference/render-operation.ts';
import { renderSchemaPage } from '../core/api-reference/render-schema-page.ts';
import { compilePage, type PageLead, type RenderLead } from '../core/content/compile-page.ts';
import type { CompiledPage } from '../core/content/page-content.ts';
import type { Highlighter, IconSource } from '../core/content/page-renderer.ts';
import type { SiteContext } from '../core/content/site-context.ts';
import { emptyHtml } from '../core/html.ts';
import { createRedirects } from '../core/site-files/redirects.ts';
import { ApiDocuments } from './api-documents.ts';
import type { PagePlan, SiteModel } from './site-model.ts';
import type { SourceTree } from './source-tree.ts';

/** The heavy tools of compiling, made once for each thread. */
export interface CompilerTools {
  highlighter: Highlighter;
  icons: IconSource;
}

/**
 * Makes the function that compiles pages of one site.
 * @param source the tree that `model` was read from
 */
export function createPageCompiler(
  model: SiteModel,
  source: SourceTree,
  tools: CompilerTools,
): (page: PagePlan) => Promise<CompiledPage> {
  const apiDocuments = new ApiDocuments(source, model.apiDescriptions);
  const site: SiteContext = {
    config: model.config,
    readText: (path) => source.readText(path),
    hasFile: (path) => source.has(path),
    pageHref: createPageLookup(model),
    ...tools,
  };

  function leadOf({ frontmatter, operation }: PagePlan, text: string): RenderLead | undefined {
    if (operation) {
      const channel = apiDocuments.findChannel(`${operation.source} ${operation.route}`);
      if (channel) return (renderer) => renderChannel(channel.document, channel.channel, renderer);
      return leadOfOperation(`${operation.method} ${operation.route}`, operation.source);
    }
    if (frontmatter.openapi) return leadOfOperation(frontmatter.openapi);
    if (frontmatter.openapiSchema) {
      const found = apiDocuments.findSchema(frontmatter.openapiSchema);
      return found && ((renderer) => completeLead(renderSchemaPage(found.document, found.name, renderer)));
    }
    if (frontmatter.asyncapi) {
      const found = apiDocuments.findChannel(frontmatter.asyncapi);
      return found && ((renderer) => renderChannel(found.document, found.channel, renderer));
    }
    const { api, authMethod, deprecated } = frontmatter;
    if (!api) return undefined;
    const hasOwnExample = text.includes('<RequestExample');
    return (renderer) =>
      completeLead(renderManualEndpoint(api, model.config.api, renderer, { authMethod, deprecated, hasOwnExample }));
  }

  /** MDX that an API description brings for the page of one of its operations. */
  function generatedText({ operation }: PagePlan): string {
    return (
      (operation && apiDocuments.findOperation(`${operation.method} ${operation.route}`, operation.source)?.operation.content) ??
      ''
    );
  }

  function leadOfOperation(reference: string, description?: string): RenderLead | undefined {
    const found = apiDocuments.findOperation(reference, description);
    const options = { baseUrls: model.config.api.baseUrls };
    return found && ((renderer) => renderOperation(found.document, found.operation, renderer, options));
  }

  return async (page) => {
    const text = page.file === '' ? generatedText(page) : (source.readText(page.file) ?? '');
    const lead = leadOf(page, text);
    const compiled = await compilePage({ ...page, text }, site, lead);
    const reference = page.frontmatter.openapi ?? page.frontmatter.openapiSchema ?? page.frontmatter.asyncapi;
    if (reference && !lead) {
      compiled.diagnostics.push({
        severity: 'warning',
        code: 'unknown-operation',
        message: `No API description of this site has "${reference}".`,
        remedy:
          'Name an operation as in the OpenAPI file, for example "openapi.json GET /users", and list the file in docs.json.',
        file: page.file,
        line: 1,
      });
    }
    return compiled;
  };
}

/** What stands before a page's own text; nothing where the reference led nowhere. */
function completeLead(lead: Partial<PageLead> | undefined): PageLead {
  return { html: emptyHtml, markdown: '', sections: [], ...lead };
}

/** Site path → the address of the page there, redirects followed. */
function createPageLookup(model: SiteModel): (sitePath: string) => string | undefined {
  const hrefs = new Map<string, string>();
  for (const page of model.pages) {
    hrefs.set(page.href, page.href);
    hrefs.set(`/${page.path}`, page.href);
  }
  const firstPage = model.pages[0];
  if (firstPage && !hrefs.has('/')) hrefs.set('/', '/');
  const redirect = createRedirects(model.config.redirects);
  const find = (path: string) => hrefs.get(path) ?? hrefs.get(path.replace(/\.mdx?$/, '').replace(/(.)\/+$/, '$1'));
  return (sitePath) => {
    const found = find(sitePath);
    if (found !== undefined) return found;
    const destination = redirect(sitePath)?.destination;
    if (destination === undefined) return undefined;
    if (/^https?:/.test(destination)) return destination;
    return find(decodeURI(destination.replace(/[?#].*$/s, '')));
  };
}
