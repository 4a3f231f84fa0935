import { hash } from 'node:crypto';
import type { ThemeFiles } from '../../compiler/assets/theme-files.ts';
import type { DevSite } from '../../compiler/dev/dev-site.ts';
import { searchFiles, wholeCut } from '../../compiler/site/search-scripts.ts';
import { defaultSiteSecurity } from '../../core/access/site-security.ts';
import { defaultSiteSettings } from '../../core/access/site-settings.ts';
import { loadSearchIndex } from '../../core/search/index/load-search-index.ts';
import type { SiteBuild } from '../../core/site-build.ts';
import type { CallingSite } from '../../services/assistant/call-api.ts';
import type { LiveSite } from '../../services/sites/live-sites.ts';
import { answerSiteRequest, type SiteAnswer, type SiteSource } from '../routes/site/answer-site-request.ts';
import { createSiteUses } from '../routes/site/site-use.ts';

/** An answer with its body. Nothing in it is to be kept: the site changes. */
export interface DevAnswer {
  answer: SiteAnswer;
  bytes: Uint8Array;
  /** Names the document for the client script; undefined for what is no document. */
  version?: string;
}

/** Answers requests for a site that changes as the server answers them for a published one. */
export class DevAnswers {
  readonly #site: DevSite;
  readonly #source: SiteSource;
  readonly #theme: ThemeFiles;
  readonly #useSite: ReturnType<typeof createSiteUses>;
  readonly #live = new WeakMap<SiteBuild, LiveSite>();
  readonly #origin: () => string;

  constructor(site: DevSite, theme: ThemeFiles, origin: () => string) {
    this.#site = site;
    this.#theme = theme;
    this.#origin = origin;
    this.#useSite = createSiteUses(theme);
    this.#source = {
      theme,
      blobs: { read: async (key) => this.#site.files.read(key.slice(key.lastIndexOf('/') + 1)) },
      searchScript: async (build, name) => this.#searchScript(build, name),
    };
  }

  /**
   * What stands at a path of the site.
   * @returns undefined where there is no site yet
   */
  async answer(path: string, query: string, wantsMarkdown: boolean): Promise<DevAnswer | undefined> {
    const page = this.#use()?.pagesByHref.get(path);
    if (page) await this.#site.prepare(page.path);
    const use = this.#use();
    if (!use) return undefined;
    const answer = answerSiteRequest(use, this.#source, path, query, wantsMarkdown);
    if (answer.kind === 'redirect') return { answer, bytes: new Uint8Array() };
    if (answer.kind === 'file') {
      const bytes = this.#site.files.read(answer.file.sha256);
      return bytes ? { answer, bytes } : this.answer('/404', '', false);
    }
    const body = await answer.body();
    if (typeof body !== 'string') return { answer, bytes: body };
    if (!answer.type.startsWith('text/html')) return { answer, bytes: Buffer.from(body) };
    const version = hash('sha256', body, 'base64url').slice(0, 16);
    return { answer, version, bytes: Buffer.from(withScript(body, this.script(version))) };
  }

  /** The site as far as calls to its APIs need it. */
  callingSite(): CallingSite {
    return {
      name: 'dev',
      pageHtml: async (href) => {
        const path = this.pageAt(href);
        if (path === undefined) return undefined;
        await this.#site.prepare(path);
        return (await this.#site.pageContent(path))?.html;
      },
    };
  }

  /** Path of the page that stands at a site path. */
  pageAt(path: string): string | undefined {
    return this.#use()?.pagesByHref.get(path)?.path;
  }

  /** The tag that loads the client script. */
  script(version: string): string {
    const name = this.#theme.get('dev.js')?.name ?? 'dev.js';
    return `<script src="/_docent/${name}" data-docent-dev="${version}" defer></script>`;
  }

  #use() {
    const { build } = this.#site;
    return build && this.#useSite(this.#liveSite(build), '', this.#origin());
  }

  #liveSite(build: SiteBuild): LiveSite {
    const known = this.#live.get(build);
    if (known) return known;
    const live: LiveSite = {
      siteId: 'dev',
      organisationId: 'dev',
      slug: 'dev',
      hostnames: [],
      deploymentId: build.id,
      security: defaultSiteSecurity,
      settings: defaultSiteSettings,
      build,
      publicUrl: this.#origin(),
      searchIndex: async () => loadSearchIndex(this.#site.searchIndex()),
      pageContent: (path) => this.#site.pageContent(path),
    };
    this.#live.set(build, live);
    return live;
  }

  #searchScript(build: Pick<SiteBuild, 'pages' | 'searchIndex'>, name: string): Uint8Array | undefined {
    const scripts = searchFiles(this.#site.searchIndex(), { ...wholeCut(build), isSingle: true });
    return [...scripts].find(({ path }) => path === `_docent/${name}`)?.bytes;
  }
}

/** Puts a tag at the end of the head. */
function withScript(page: string, tag: string): string {
  const at = page.indexOf('</head>');
  return at < 0 ? page + tag : page.slice(0, at) + tag + page.slice(at);
}
