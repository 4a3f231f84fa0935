import { bundleIntegrationsNote } from '../../core/docs-json/settings/integrations.ts';
import { errorMessage } from '../../core/error-message.ts';
import type { ExportOptions } from '../../core/exports/export-options.ts';
import { type ExportReport, type FailedPage, pagesBuiltWithErrors } from '../../core/exports/export-report.ts';
import { escapeHtml } from '../../core/html.ts';
import { withoutOutside } from '../../core/outside/without-outside.ts';
import type { BuiltPage, SiteBuild } from '../../core/site-build.ts';
import { renderRedirect } from '../../theme/render-redirect.ts';
import { type PageParts, readPageParts } from '../pages/stored-page.ts';
import { pageFile, withoutOmitted } from '../site/site-addresses.ts';
import type { SiteRenderer } from '../site/site-renderer.ts';

export interface RenderedPage {
  html: string;
  content: PageParts;
}

/** A bundle calls no server: neither articles nor examples contain anything that a browser would fetch from elsewhere. */
function inBundle(content: PageParts): PageParts {
  return content.isSelfContained
    ? content
    : { ...content, html: withoutOutside(content.html), aside: withoutOutside(content.aside) };
}

/** Renders the pages of a bundle and records failures, so that one failing page does not stop the others. */
export class BundlePages {
  readonly #failed = new Map<BuiltPage, string>();
  readonly #builtWithErrors: ReadonlyMap<BuiltPage, string>;
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
   * Renders a page; if that fails, a page that reports the failure.
   * @param bytes the stored page
   */
  render(page: BuiltPage, bytes: Uint8Array): RenderedPage {
    try {
      const content = inBundle(readPageParts(bytes));
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
    const content: PageParts = { html, aside: '', toc: [], markdown: Buffer.from(markdown), elements: [] };
    try {
      return { html: this.#finish(this.#renderer.page(page, content)), content };
    } catch {
      return { html: renderRedirect(address), content };
    }
  }

  /** Returns the problems, once all pages are rendered. */
  report(pages: readonly BuiltPage[], { report, config }: Pick<SiteBuild, 'report' | 'config'>): ExportReport {
    const note = bundleIntegrationsNote(config);
    const failedPages: FailedPage[] = [];
    for (const page of pages) {
      const reason = this.#failed.get(page) ?? this.#builtWithErrors.get(page);
      if (reason !== undefined) failedPages.push({ path: page.path, file: pageFile(page.href), reason });
    }
    return {
      pageCount: pages.length,
      failedPages,
      errors: report.diagnostics.filter((one) => one.severity === 'error'),
      ...(note !== undefined && { notes: [note] }),
    };
  }
}
