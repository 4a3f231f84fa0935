import { errorMessage } from '../../core/error-message.ts';
import type { ExportOptions } from '../../core/exports/export-options.ts';
import { type ExportReport, type FailedPage, pagesBuiltWithErrors } from '../../core/exports/export-report.ts';
import { escapeHtml } from '../../core/html.ts';
import { withoutOutside } from '../../core/outside/without-outside.ts';
import type { BuiltPage, PageContent, SiteBuild } from '../../core/site-build.ts';
import { renderRedirect } from '../../theme/render-redirect.ts';
import { pageFile, withoutOmitted } from '../site/site-addresses.ts';
import type { SiteRenderer } from '../site/site-renderer.ts';

/** A page of a bundle as it was made. */
export interface RenderedPage {
  html: string;
  content: PageContent;
}

/** A bundle asks nobody: neither article nor examples hold what a browser would fetch from elsewhere. */
function inBundle(content: PageContent): PageContent {
  return { ...content, html: withoutOutside(content.html), aside: withoutOutside(content.aside) };
}

/** Makes the pages of a bundle, and keeps account of those that fail: one that does must not cost the others. */
export class BundlePages {
  readonly #failed = new Map<BuiltPage, string>();
  readonly #builtWithErrors: ReadonlyMap<BuiltPage, string>;
  readonly #decoder = new TextDecoder();
  readonly #renderer: SiteRenderer;
  readonly #origin: string;
  readonly #hasPlainLinks: boolean;

  constructor(
    pages: readonly BuiltPage[],
    parts: {
      build: Pick<SiteBuild, 'report'>;
      renderer: SiteRenderer;
      origin: string;
      options: Pick<ExportOptions, 'omittedLinks'>;
    },
  ) {
    this.#builtWithErrors = pagesBuiltWithErrors(pages, parts.build.report);
    this.#renderer = parts.renderer;
    this.#origin = parts.origin;
    this.#hasPlainLinks = parts.options.omittedLinks === 'text';
  }

  /**
   * A page; where it cannot be rendered, one that says so in its place.
   * @param bytes what is stored of it
   */
  render(page: BuiltPage, bytes: Uint8Array): RenderedPage {
    try {
      const content = inBundle(JSON.parse(this.#decoder.decode(bytes)) as PageContent);
      return { html: this.#finish(this.#renderer.page(page, content)), content };
    } catch (error) {
      this.#failed.set(page, errorMessage(error));
      return this.#stub(page);
    }
  }

  #finish(html: string): string {
    return this.#hasPlainLinks ? withoutOmitted(html) : html;
  }

  #stub(page: BuiltPage): RenderedPage {
    const address = this.#origin + encodeURI(page.href);
    const link = `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
    const html = `<p>This page could not be exported. The live page: ${link}</p>`;
    const markdown = `# ${page.title}\n\nThis page could not be exported. The live page: ${address}\n`;
    const content: PageContent = { html, aside: '', toc: [], markdown, elements: [] };
    try {
      return { html: this.#finish(this.#renderer.page(page, content)), content };
    } catch {
      return { html: renderRedirect(address), content };
    }
  }

  /** What went wrong, once all pages are made. */
  report(pages: readonly BuiltPage[], { report }: Pick<SiteBuild, 'report'>): ExportReport {
    const failedPages: FailedPage[] = [];
    for (const page of pages) {
      const reason = this.#failed.get(page) ?? this.#builtWithErrors.get(page);
      if (reason !== undefined) failedPages.push({ path: page.path, file: pageFile(page.href), reason });
    }
    return {
      pageCount: pages.length,
      failedPages,
      errors: report.diagnostics.filter((one) => one.severity === 'error'),
    };
  }
}
