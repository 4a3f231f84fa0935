import type { BuiltPage, SiteBuild } from '@docent/format/build/site-build.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import type { ExportOptions } from '@docent/format/exports/export-options.ts';
import { type ExportReport, pagesBuiltWithErrors } from '@docent/format/exports/export-report.ts';
import { escapeHtml } from '@docent/format/html.ts';
import { withoutOutside } from '@docent/format/outside/without-outside.ts';
import { renderRedirect } from '@docent/theme/render-redirect.ts';
import { type PageParts, readPageParts } from '../pages/stored-page.ts';
import { pageFile, withoutOmitted } from '../site/site-addresses.ts';
import type { SiteRenderer } from '../site/site-renderer.ts';
import { bundleNotes } from './bundle-manifest.ts';

export interface RenderedPage {
  html: string;
  content: PageParts;
  /** Whether it only reports why the page could not be rendered. */
  isStub?: true;
}

/**
 * A bundle calls no server: neither articles nor examples contain anything that a browser would
 * fetch from elsewhere.
 */
function inBundle(content: PageParts): PageParts {
  return content.isSelfContained
    ? content
    : { ...content, html: withoutOutside(content.html), aside: withoutOutside(content.aside) };
}

interface BundlePagesOptions {
  build: Pick<SiteBuild, 'report' | 'config' | 'files'>;
  renderer: SiteRenderer;
  origin: string;
  options: Pick<ExportOptions, 'omittedLinks'>;
}

/**
 * Renders the pages of a bundle and records failures, so that one failing page does not stop the
 * others.
 */
export function createBundlePages(
  pages: readonly BuiltPage[],
  { build, renderer, origin, options }: BundlePagesOptions,
) {
  const failed = new Map(pagesBuiltWithErrors(pages, build.report));

  function document(page: BuiltPage, content: PageParts): string {
    const html = renderer.page(page, content);
    return options.omittedLinks === 'text' ? withoutOmitted(html) : html;
  }

  /**
   * Renders a page; if that fails, a page that reports the failure.
   * @param bytes the stored page
   */
  function render(page: BuiltPage, bytes: Uint8Array): RenderedPage {
    try {
      const content = inBundle(readPageParts(bytes));
      return { html: document(page, content), content };
    } catch (error) {
      failed.set(page, errorMessage(error));
      return stub(page);
    }
  }

  function stub(page: BuiltPage): RenderedPage {
    const address = origin + encodeURI(page.href);
    const link = `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`;
    const html = `<p>This page could not be exported. The live page: ${link}</p>`;
    const markdown = `# ${page.title}\n\nThis page could not be exported. The live page: ${address}\n`;
    const content: PageParts = {
      html,
      aside: '',
      toc: [],
      markdown: Buffer.from(markdown),
      elements: [],
    };
    try {
      return { html: document(page, content), content, isStub: true };
    } catch {
      return { html: renderRedirect(address), content, isStub: true };
    }
  }

  /** Returns the problems, once all pages are rendered. */
  function report(): ExportReport {
    const notes = bundleNotes(build);
    return {
      pageCount: pages.length,
      failedPages: pages.flatMap((page) => {
        const reason = failed.get(page);
        return reason === undefined ? [] : [{ path: page.path, file: pageFile(page.href), reason }];
      }),
      errors: build.report.diagnostics.filter((diagnostic) => diagnostic.severity === 'error'),
      ...(notes.length > 0 && { notes }),
    };
  }

  return { render, report };
}
