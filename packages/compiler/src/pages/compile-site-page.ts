import { isWithin } from '@docent/format/access/audience.ts';
import { operationAnchors } from '@docent/format/anchors.ts';
import type { ApiDocument } from '@docent/format/api-reference/api-document.ts';
import {
  channelOf,
  findOperation,
  namesOnlyFile,
} from '@docent/format/api-reference/find-operation.ts';
import { renderChannel } from '@docent/format/api-reference/markup/render-channel.ts';
import { renderManualEndpoint } from '@docent/format/api-reference/markup/render-manual-api.ts';
import { renderOperation } from '@docent/format/api-reference/markup/render-operation.ts';
import { renderSchemaPage } from '@docent/format/api-reference/markup/render-schema-page.ts';
import { displayOf } from '@docent/format/api-reference/playground/playground-markup.ts';
import {
  compilePage,
  type PageLead,
  type RenderLead,
} from '@docent/format/content/compile-page.ts';
import { calloutBox } from '@docent/format/content/components/callouts.ts';
import type { IslandSource } from '@docent/format/content/nodes/island.ts';
import type { CompiledPage, SiteContext } from '@docent/format/content/page/page-content.ts';
import type { Highlighter, IconSource } from '@docent/format/content/page/page-renderer.ts';
import { allHtml } from '@docent/format/content/page/personal-page.ts';
import { apiSettingsOf } from '@docent/format/docs-json/site-sources.ts';
import { emptyHtml, html } from '@docent/format/html.ts';
import { imageSize } from '@docent/format/image-size.ts';
import { NearPaths } from '@docent/format/near-path.ts';
import { onceForEach } from '@docent/format/once.ts';
import { collectClassNames, collectSourceWords } from '@docent/format/site-files/class-names.ts';
import { createRedirectEnds } from '@docent/format/site-files/redirects.ts';
import { renderSymbol } from '@docent/symbol-reference/render-symbol.ts';
import { createIconSource } from '../assets/icons.ts';
import type { ApiTarget } from '../descriptions/api-documents.ts';
import { parseOnce } from '../descriptions/parsed-descriptions.ts';
import type { SymbolPlan } from '../descriptions/plan-symbol-page.ts';
import { SymbolDocuments, symbolSourceKey } from '../descriptions/symbol-documents.ts';
import { plainLine } from '../highlight/code-tokenizer.ts';
import { createShikiHighlighter } from '../highlight/shiki-highlighter.ts';
import { readCodeGrammars } from '../highlight/site-languages.ts';
import { createIslandRenderer } from '../islands/island-renderer.ts';
import type { Answers, Recorder } from '../page-cache/recorder.ts';
import { originOf, type PagePlan } from '../site/page-plans.ts';
import type { SiteModel } from '../site/site-model.ts';
import { secretsInPage } from '../source/refuse-secrets.ts';

/** A page with its dependencies. */
export interface TrackedPage {
  compiled: CompiledPage;
  answers: Answers;
}

/** The expensive tools of compilation, created once per thread. */
export interface CompilerTools {
  highlighter: Highlighter;
  icons: IconSource;
  islands: IslandSource;
}

/**
 * Creates the tools of a site. A tool may read the site, now and later, through the recorder's
 * `source` and `model`: if what it read changes, the tool is recreated and the pages that use it
 * are recompiled.
 */
function makeTools(recorder: Recorder, plainCode: boolean): CompilerTools {
  return {
    highlighter: recorder.group('highlighter', () => {
      const { grammars } = readCodeGrammars(
        recorder.source,
        recorder.model.config.codeblocks.customLanguages ?? [],
        '',
      );
      const highlighter = createShikiHighlighter(grammars);
      // It knows the same languages and reports the same problems.
      return plainCode
        ? { ...highlighter, highlight: (code) => code.split(/\r?\n/).map(plainLine) }
        : highlighter;
    }),
    icons: recorder.group('icons', () => createIconSource()),
    // Reads the site only through what a page passes to it.
    islands: recorder.group('islands', () => createIslandRenderer()),
  };
}

/**
 * Creates the function that compiles the pages of one site. All reads here go through the recorder,
 * except those that only answer queries.
 * @param options `plainCode` skips highlighting, which is the longest part of the work
 */
export function createPageCompiler(
  recorder: Recorder,
  { plainCode = false } = {},
): (page: PagePlan) => Promise<TrackedPage> {
  const { source, model, unrecorded } = recorder;
  const tools = makeTools(recorder, plainCode);
  const isImportable = (path: string, page: PagePlan['audience']) =>
    isWithin(page, unrecorded.model.restrictedFiles.get(path));
  const nearPages = new NearPaths(() => pathsOf(unrecorded.model));
  const nearFiles = new NearPaths(() => unrecorded.source.paths());
  recorder.answerWith({
    config: unrecorded.model.config,
    readText: (path) =>
      isImportable(path, undefined) ? unrecorded.source.readText(path) : undefined,
    hasFile: (path) => isImportable(path, undefined) && unrecorded.source.has(path),
    day: () => unrecorded.model.day,
    // A logo or a screenshot is on many pages.
    imageSize: onceForEach((path) => {
      const bytes = unrecorded.source.readBytes(path);
      return bytes && imageSize(bytes);
    }),
    pageHref: createPageLookup(unrecorded.model),
    nearPage: onceForEach((path) => nearPages.find(path)),
    nearFile: onceForEach((path) => nearFiles.find(path)),
    ...tools,
  });

  /** The description that a page shows, as resolved by the model. */
  function descriptionOf({ description: file }: ApiTarget): ApiDocument | undefined {
    const { document } = recorder.group(
      `api ${file}`,
      () => parseOnce(source, file) ?? { document: undefined },
    );
    return document;
  }

  function operationOf(target: ApiTarget) {
    const document = target.kind === 'operation' ? descriptionOf(target) : undefined;
    return document && target.kind === 'operation' ? findOperation([document], target) : undefined;
  }

  function leadOfSymbol(symbol: SymbolPlan, description: string | undefined): RenderLead {
    if (symbol.id === undefined) {
      const icon = html`<i class="d-sign"></i>`;
      const body = html`<p>${symbol.missing}</p>`;
      const note = calloutBox({ kind: 'warning', label: 'Warning', icon, body });
      return () => completeLead({ html: note, markdown: symbol.missing });
    }
    const { source: place, id } = symbol;
    const documents = recorder.group(
      `symbols ${place.format} ${place.source}`,
      () => new SymbolDocuments(source),
    );
    const paths = model.symbolPaths.get(symbolSourceKey(place));
    const content = documents.find(place)?.content(id, (target) => paths?.get(target));
    return (renderer) => completeLead(content && renderSymbol(content, renderer, description));
  }

  function leadOf(
    { file, frontmatter, api: target, symbol }: PagePlan,
    text: string,
  ): RenderLead | undefined {
    if (symbol) return leadOfSymbol(symbol, frontmatter.description);
    const settings = apiSettingsOf(model.config, file);
    const display = displayOf(settings.playground, frontmatter.custom.playground);
    if (target) return leadOfTarget(target, display);
    if (apiReference(frontmatter)) return undefined;
    const { api, authMethod, deprecated } = frontmatter;
    if (!api) return undefined;
    const hasOwnExample = text.includes('<RequestExample');
    return (renderer) =>
      completeLead(
        renderManualEndpoint(api, settings, renderer, {
          authMethod,
          deprecated,
          hasOwnExample,
          display,
        }),
      );
  }

  /** The page of an object shows only its own fields; nested objects have their own pages. */
  function schemaOptions({ description, isObject }: ApiTarget & { kind: 'schema' }) {
    const objectPages = isObject && model.objectPaths.get(description);
    return objectPages ? { objectPages, upperLevels: 1, roomForDeep: 0 } : {};
  }

  function leadOfTarget(
    target: ApiTarget,
    display: ReturnType<typeof displayOf>,
  ): RenderLead | undefined {
    if (target.kind === 'operation') {
      const apiOperation = operationOf(target);
      const { markdownSchema } = model.config;
      const api = apiSettingsOf(model.config, target.description);
      const objectPages = model.objectPaths.get(target.description);
      const options = {
        baseUrls: api.baseUrls,
        settings: api,
        withoutSource: markdownSchema === false,
        display,
        objectPages,
      };
      return (
        apiOperation &&
        ((renderer) =>
          renderOperation(apiOperation.document, apiOperation.operation, renderer, options))
      );
    }
    const document = descriptionOf(target);
    if (!document) return undefined;
    if (target.kind === 'schema')
      return (renderer) =>
        completeLead(renderSchemaPage(document, target.name, renderer, schemaOptions(target)));
    const settings = apiSettingsOf(model.config, target.description);
    const channel = channelOf(document, target.name);
    return (
      channel && ((renderer) => renderChannel(document, channel, renderer, { display, settings }))
    );
  }

  /** A page for some readers may import what is for them, too. */
  function contextOf({ audience }: PagePlan): SiteContext {
    const context = recorder.siteContext();
    if (audience?.groups === undefined) return context;
    const { restrictedFiles } = model;
    const isForThem = (path: string) =>
      restrictedFiles.has(path) && isWithin(audience, restrictedFiles.get(path));
    return {
      ...context,
      readText: (path) => (isForThem(path) ? source.readText(path) : context.readText(path)),
      hasFile: (path) => (isForThem(path) ? source.has(path) : context.hasFile(path)),
    };
  }

  async function compile(page: PagePlan): Promise<CompiledPage> {
    // MDX that an API description provides for the page of one of its operations.
    const generatedText =
      page.operation && page.api ? (operationOf(page.api)?.operation.content ?? '') : '';
    const text = page.file === '' ? generatedText : (source.readText(page.file) ?? '');
    const lead = leadOf(page, text);
    const reference = apiReference(page.frontmatter);
    const isMissing = reference !== undefined && !lead;
    const compiled = await compilePage(
      { ...page, file: originOf(page), text },
      contextOf(page),
      isMissing ? missingLead(reference) : lead,
    );
    compiled.classNames = classNamesOf(compiled, text);
    compiled.diagnostics.push(...secretsInPage(source, page.file));
    // A page without the content that it exists for is a failure, regardless of its other content.
    if (page.symbol && page.symbol.id === undefined) compiled.failed = true;
    if (isMissing) compiled.failed = true;
    // A description that could not be read is reported once, with all pages that need it.
    if (isMissing && !page.unread) {
      compiled.diagnostics.push({
        severity: 'error',
        code: 'unknown-operation',
        message: `No API description of this site has "${reference}".`,
        remedy:
          'Name an operation as its description writes it, for example "openapi.json GET /users", or add the description.',
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

/**
 * A component that the page itself defines may use other classes in the browser than in the HTML.
 */
function classNamesOf({ content, files }: CompiledPage, text: string): string[] {
  const html = content.html + allHtml(content.personal);
  const names = collectClassNames(content.aside, collectClassNames(html));
  for (const file of files ?? []) collectSourceWords(file.text, names);
  if (/^export\s/m.test(text) && text.includes('class')) collectSourceWords(text, names);
  return [...names];
}

/** The site paths that a link can have. */
function pathsOf({ pages, assets }: SiteModel): string[] {
  return [...pages.map(({ href }) => href), ...assets.map((path) => `/${path}`)];
}

/** What a page refers to in an API description. */
function apiReference({
  openapi,
  openapiSchema,
  asyncapi,
}: PagePlan['frontmatter']): string | undefined {
  const operation = openapi !== undefined && namesOnlyFile(openapi) ? undefined : openapi;
  return operation ?? openapiSchema ?? asyncapi;
}

/** Placeholder for a reference that no description has. */
function missingLead(reference: string): RenderLead {
  const note = 'This page describes a part of the API that could not be found:';
  return () => ({
    html: html`<p class="d-fault" role="note">${note} <code>${reference}</code></p>`,
    markdown: `${note} \`${reference.replaceAll('`', '')}\`\n`,
    sections: [],
  });
}

/** Content before a page's own text; nothing if the reference could not be resolved. */
function completeLead(lead: Partial<PageLead> | undefined): PageLead {
  return { html: emptyHtml, markdown: '', sections: [], ...lead };
}

/**
 * Maps a site path to the URL of the page there, following redirects; and a path of a description
 * with the anchor of an operation (`/openapi.json#operation/listUsers`) to the page of that
 * operation.
 */
function createPageLookup(model: SiteModel): (sitePath: string) => string | undefined {
  const hrefs = new Map<string, string>();
  for (const page of model.pages) {
    hrefs.set(page.href, page.href);
    hrefs.set(`/${page.path}`, page.href);
    for (const anchor of page.api ? operationAnchors(page) : []) {
      const address = `/${page.api?.description}${anchor}`;
      if (!hrefs.has(address)) hrefs.set(address, page.href);
    }
  }
  const firstPage = model.pages[0];
  if (firstPage && !hrefs.has('/')) hrefs.set('/', '/');
  const redirect = createRedirectEnds(model.config.redirects);
  const find = (path: string) =>
    hrefs.get(path) ?? hrefs.get(path.replace(/\.mdx?$/, '').replace(/(?<=[^/]|^\/)\/+$/, ''));
  return (sitePath) => {
    const href = find(sitePath);
    if (href !== undefined) return href;
    const destination = redirect(sitePath)?.destination;
    if (destination === undefined) return undefined;
    if (/^https?:/.test(destination)) return destination;
    return find(decodeURI(destination.replace(/[?#][\s\S]*/, '')));
  };
}
