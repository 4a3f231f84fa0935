import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ThemeFiles } from '@docent/compiler/assets/dist-files.ts';
import type { DevSite } from '@docent/compiler/dev/dev-site.ts';
import { type PolicySources, policySources } from '@docent/compiler/pages/page-policy.ts';
import { searchFiles } from '@docent/compiler/site/search-files.ts';
import { wholeCut } from '@docent/compiler/site/search-scripts.ts';
import { defaultSiteSecurity, defaultSiteSettings } from '@docent/format/access/site-settings.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import type { CallingSite } from '../playground/call-api.ts';
import { type LiveSite, PUBLIC_ACCESS } from '../ports/live-sites.ts';
import type { SiteAnswer, SiteContent, SiteRequest } from '../ports/site-content.ts';
import { liveContent, type SiteSource } from '../serving/live-content.ts';
import { createSiteUses } from '../serving/site-use.ts';

const HTML = /^text\/html\b/;

/**
 * The site of a folder as content: as it is at the moment of a request, the same as published
 * except for the client script.
 */
export class DevContent {
  readonly #site: DevSite;
  readonly #source: SiteSource;
  readonly #theme: ThemeFiles;
  readonly #useSite: ReturnType<typeof createSiteUses>;
  readonly #live = new WeakMap<SiteBuild, LiveSite>();
  readonly #origin: () => string;
  readonly #user: SiteRequest['user'];

  /** @param groups of the reader who sees the site; absent: nobody in particular */
  constructor(site: DevSite, theme: ThemeFiles, origin: () => string, groups?: readonly string[]) {
    this.#user = groups && { groups, content: {}, apiPlaygroundInputs: {} };
    this.#site = site;
    this.#theme = theme;
    this.#origin = origin;
    this.#useSite = createSiteUses(theme);
    this.#source = {
      theme,
      blobs: {
        read: async (key) => this.#fileAt(key),
        get: async (key, range) => {
          const bytes = this.#fileAt(key);
          return (
            bytes && Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes])
          );
        },
      },
      searchScript: async (build, name) => this.#searchScript(build, name),
    };
  }

  /**
   * Compiles the page at a path, if there is one, and returns the content of the site.
   * @returns undefined if there is no site yet
   */
  async at(path: string): Promise<SiteContent | undefined> {
    const published = await this.#published(path);
    if (!published) return undefined;
    // Without the reader, nobody is redirected to a language: authors see the page that they
    // opened.
    return {
      ...published,
      find: ({ reader: _, ...request }) => this.#changing(published.find(request)),
    };
  }

  /**
   * What browsers may do with a site without additional permissions: authors learn here what pages
   * cannot do.
   */
  rules(): PolicySources {
    return policySources(this.#site.build ?? {}, defaultSiteSecurity, "'self'");
  }

  /** Identifies the document at a path for the client script; undefined if there is none. */
  async versionAt(path: string): Promise<string | undefined> {
    const answer = (await this.#published(path))?.find({ path, query: '', wantsMarkdown: false });
    return answer?.kind === 'body' && HTML.test(answer.type)
      ? versionOf(await answer.read())
      : undefined;
  }

  /** The content as it would be published. */
  async #published(path: string): Promise<SiteContent | undefined> {
    const page = this.pageAt(path);
    if (page !== undefined) await this.#site.prepare(page);
    const use = this.#use();
    const content = use && liveContent(use, this.#source, this.rules());
    return (
      content && { ...content, find: (request) => content.find({ ...request, user: this.#user }) }
    );
  }

  /** Returns an answer that no browser and no cache keeps, its document with the client script. */
  #changing(answer: SiteAnswer | undefined): SiteAnswer | undefined {
    // Never permanent: a browser would still follow it after the author removed it.
    if (answer?.kind !== 'body') return answer && { ...answer, status: 307 };
    const { version: _, readEncoded, ...body } = answer;
    if (!HTML.test(body.type))
      return { ...body, ...(readEncoded && { readEncoded }), immutable: false };
    const read = async () => {
      const page = String(await answer.read());
      return withScript(page, this.script(versionOf(page)));
    };
    return { ...body, immutable: false, read };
  }

  #fileAt(key: string): Uint8Array | undefined {
    return this.#site.files.read(key.slice(key.lastIndexOf('/') + 1));
  }

  /** The parts of the site that API calls need. */
  callingSite(): CallingSite {
    return {
      name: 'dev',
      isProxying: true,
      pageHtml: async (href) => {
        const path = this.pageAt(href);
        if (path === undefined) return undefined;
        await this.#site.prepare(path);
        return (await this.#site.pageContent(path))?.html;
      },
    };
  }

  pageAt(path: string): string | undefined {
    return this.#use()?.pagesByHref.get(path)?.path;
  }

  /** Returns the tag that loads the client script. */
  script(version: string): string {
    const name = this.#theme.get('dev.js')?.name ?? 'dev.js';
    return `<script src="/_docent/${name}" data-docent-dev="${version}" defer></script>`;
  }

  #use() {
    const { build } = this.#site;
    return build && this.#useSite(this.#liveSite(build), '', this.#origin());
  }

  #liveSite(build: SiteBuild): LiveSite {
    const cachedSite = this.#live.get(build);
    if (cachedSite) return cachedSite;
    const live: LiveSite = {
      siteId: 'dev',
      organizationId: 'dev',
      slug: 'dev',
      hostnames: [],
      deploymentId: build.id,
      security: defaultSiteSecurity,
      settings: defaultSiteSettings,
      access: PUBLIC_ACCESS,
      as: () => live,
      narrowed: () => live,
      build,
      publicUrl: this.#origin(),
      searchIndex: async () => loadSearchIndex(this.#site.searchIndex()),
      pageContent: (path) => this.#site.pageContent(path),
    };
    this.#live.set(build, live);
    return live;
  }

  #searchScript(
    build: Pick<SiteBuild, 'pages' | 'searchIndex'>,
    name: string,
  ): Uint8Array | undefined {
    const scripts = searchFiles(this.#site.searchIndex(), { ...wholeCut(build), isSingle: true });
    return [...scripts].find(({ path }) => path === `_docent/${name}`)?.bytes;
  }
}

/** Inserts a tag at the end of the head. */
function withScript(page: string, tag: string): string {
  const at = page.indexOf('</head>');
  return at < 0 ? page + tag : page.slice(0, at) + tag + page.slice(at);
}

function versionOf(page: string | Uint8Array): string {
  return hash('sha256', page, 'base64url').slice(0, 16);
}
