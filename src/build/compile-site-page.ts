import { parseNameReference, parseOperationReference } from '../core/api-reference/find-operation.ts';
import { displayOf } from '../core/api-reference/playground/playground-markup.ts';
import { renderChannel } from '../core/api-reference/render-channel.ts';
import { renderManualEndpoint } from '../core/api-reference/render-manual-api.ts';
import { renderOperation } from '../core/api-reference/render-operation.ts';
import { renderSchemaPage } from '../core/api-reference/render-schema-page.ts';
import { compilePage, type PageLead, type RenderLead } from '../core/content/compile-page.ts';
import { type ImageSize, imageSize } from '../core/content/image-size.ts';
import type { IslandSource } from '../core/content/island.ts';
import type { CompiledPage } from '../core/content/page-content.ts';
import type { Highlighter, IconSource } from '../core/content/page-renderer.ts';
import type { PlaygroundDisplay } from '../core/docs-json/site-config.ts';
import { emptyHtml } from '../core/html.ts';
import { collectClassNames, collectSourceWords } from '../core/site-files/class-names.ts';
import { createRedirects } from '../core/site-files/redirects.ts';
import { ApiDocuments } from './api-documents.ts';
import { readCodeGrammars } from './code-grammars.ts';
import { createIconSource } from './iconify-icons.ts';
import { createIslandRenderer } from './islands/island-renderer.ts';
import type { Answers, Recorder } from './page-cache/recorder.ts';
import { withoutColours } from './plain-highlighter.ts';
import { createShikiHighlighter } from './shiki-highlighter.ts';
import type { PagePlan, SiteModel } from './site-model.ts';
import type { SourceTree } from './source-tree.ts';

/** A page with what it was made of. */
export interface TrackedPage {
  compiled: CompiledPage;
  answers: Answers;
}

/** The heavy tools of compiling, made once for each thread. */
export interface CompilerTools {
  highlighter: Highlighter;
  icons: IconSource;
  islands: IslandSource;
}

/**
 * Makes the tools of a site. A tool may read the site, now and later, through the recorder's `source` and `model`: then
 * it is made again, and the pages that use it too, when what it read has changed.
 */
function makeTools(recorder: Recorder, plainCode: boolean): CompilerTools {
  return {
    highlighter: recorder.group('highlighter', () => {
      const { grammars } = readCodeGrammars(recorder.source, recorder.model.config.codeblocks.customLanguages ?? [], '');
      const highlighter = createShikiHighlighter(grammars);
      return plainCode ? withoutColours(highlighter) : highlighter;
    }),
    icons: recorder.group('icons', () => createIconSource()),
    // Reads the site only through what a page hands to it.
    islands: recorder.group('islands', () => createIslandRenderer()),
  };
}

/**
 * Makes the function that compiles pages of one site. Everything that is read here goes through the recorder, but for
 * what only answers questions.
 * @param options `plainCode` leaves code without colours, which is the longest part of the work
 */
export function createPageCompiler(recorder: Recorder, { plainCode = false } = {}): (page: PagePlan) => Promise<TrackedPage> {
  const { source, model, unrecorded } = recorder;
  const tools = makeTools(recorder, plainCode);
  recorder.answerWith({
    config: unrecorded.model.config,
    readText: (path) => (unrecorded.model.restrictedFiles.includes(path) ? undefined : unrecorded.source.readText(path)),
    hasFile: (path) => !unrecorded.model.restrictedFiles.includes(path) && unrecorded.source.has(path),
    imageSize: (path) => sizeOfImage(recorder.unrecorded.source, path),
    pageHref: createPageLookup(unrecorded.model),
    ...tools,
  });

  /** Where to look for what a page names: in the description that it names, so that the page rests on no other, else in all. */
  function descriptions(name: string | undefined): ApiDocuments {
    const file = name?.replace(/^\.?\/+/, '');
    if (file !== undefined && source.has(file)) {
      const own = recorder.group(`api ${file}`, () => new ApiDocuments(source, [file]));
      if (own.isReadable) return own;
    }
    return recorder.group('api', () => new ApiDocuments(source, model.apiDescriptions));
  }

  function leadOf({ frontmatter, operation }: PagePlan, text: string): RenderLead | undefined {
    const display = displayOf(model.config.api.playground, frontmatter.custom.playground);
    if (operation) {
      const channel = descriptions(operation.source).findChannel(`${operation.source} ${operation.route}`);
      if (channel) return (renderer) => renderChannel(channel.document, channel.channel, renderer);
      return leadOfOperation(display, `${operation.method} ${operation.route}`, operation.source);
    }
    if (frontmatter.openapi) return leadOfOperation(display, frontmatter.openapi);
    if (frontmatter.openapiSchema) {
      const reference = frontmatter.openapiSchema;
      const found = descriptions(parseNameReference(reference)?.file).findSchema(reference);
      return found && ((renderer) => completeLead(renderSchemaPage(found.document, found.name, renderer)));
    }
    if (frontmatter.asyncapi) {
      const found = descriptions(parseNameReference(frontmatter.asyncapi)?.file).findChannel(frontmatter.asyncapi);
      return found && ((renderer) => renderChannel(found.document, found.channel, renderer));
    }
    const { api, authMethod, deprecated } = frontmatter;
    if (!api) return undefined;
    const hasOwnExample = text.includes('<RequestExample');
    return (renderer) =>
      completeLead(renderManualEndpoint(api, model.config.api, renderer, { authMethod, deprecated, hasOwnExample, display }));
  }

  /** MDX that an API description brings for the page of one of its operations. */
  function generatedText({ operation }: PagePlan): string {
    if (!operation) return '';
    const { method, route, source: name } = operation;
    return descriptions(name).findOperation(`${method} ${route}`, name)?.operation.content ?? '';
  }

  function leadOfOperation(display: PlaygroundDisplay, reference: string, description?: string): RenderLead | undefined {
    const name = description ?? parseOperationReference(reference)?.file;
    const found = descriptions(name).findOperation(reference, description);
    const { api, markdownSchema } = model.config;
    const options = { baseUrls: api.baseUrls, settings: api, withoutSource: markdownSchema === false, display };
    return found && ((renderer) => renderOperation(found.document, found.operation, renderer, options));
  }

  async function compile(page: PagePlan): Promise<CompiledPage> {
    const text = page.file === '' ? generatedText(page) : (source.readText(page.file) ?? '');
    const lead = leadOf(page, text);
    const compiled = await compilePage({ ...page, text }, recorder.siteContext(), lead);
    compiled.classNames = classNamesOf(compiled, text);
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
  }

  return async (page) => {
    const { value, answers } = await recorder.record(page.path, () => compile(page));
    return { compiled: value, answers };
  };
}

/** A logo or a screenshot stands on many pages; its file is read once. */
const imageSizes = new WeakMap<SourceTree, Map<string, ImageSize | undefined>>();

function sizeOfImage(source: SourceTree, path: string): ImageSize | undefined {
  let sizes = imageSizes.get(source);
  if (!sizes) {
    sizes = new Map();
    imageSizes.set(source, sizes);
  }
  if (!sizes.has(path)) {
    const bytes = source.readBytes(path);
    sizes.set(path, bytes && imageSize(bytes));
  }
  return sizes.get(path);
}

/** A component that the page itself defines may take other classes in the browser than it has in the HTML. */
function classNamesOf({ content, files }: CompiledPage, text: string): string[] {
  const names = collectClassNames(content.aside, collectClassNames(content.html));
  for (const file of files ?? []) collectSourceWords(file.text, names);
  if (/^export\s/m.test(text) && text.includes('class')) collectSourceWords(text, names);
  return [...names];
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
