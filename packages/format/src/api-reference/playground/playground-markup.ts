import type { PageRenderer } from '../../content/page/page-renderer.ts';
import { word } from '../../content/page/words.ts';
import type { PlaygroundDisplay } from '../../docs-json/site-config.ts';
import { type Html, html, inlineJson, trustedHtml } from '../../html.ts';
import type { RequestInputs } from '../request-inputs.ts';

/**
 * The button that opens the form of an operation, and the data of the form. Nothing else is loaded
 * until it is pressed.
 */
export function playgroundOpener(
  page: PageRenderer,
  inputs: RequestInputs,
): { button: Html; data: Html } {
  page.need('docent-playground');
  return {
    button: html`<button type="button" class="d-btn d-btn-accent d-try tryit-button d-needs-js" data-playground-open aria-haspopup="dialog">${word('tryIt')}</button>`,
    data: trustedHtml(
      `<script type="application/json" data-playground>${inlineJson(inputs)}</script>`,
    ),
  };
}

const DISPLAYS: ReadonlySet<unknown> = new Set<PlaygroundDisplay>([
  'interactive',
  'simple',
  'none',
  'auth',
]);

/** How a page shows its request: its frontmatter, otherwise the site's setting. */
export function displayOf(site: PlaygroundDisplay, page: unknown): PlaygroundDisplay {
  return DISPLAYS.has(page) ? (page as PlaygroundDisplay) : site;
}

/**
 * Returns whether readers can send the request. Access is not checked here: whoever may read the
 * page may send it.
 */
export function isInteractive(display: PlaygroundDisplay): boolean {
  return display === 'interactive' || display === 'auth';
}
