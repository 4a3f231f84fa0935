import { type Html, trustedHtml } from '../../core/html.ts';

/**
 * Renders a data block for the page's scripts.
 * @param json as returned by `inlineJson`
 */
export function inlineData(id: string, json: string): Html {
  return trustedHtml(`<script type="application/json" id="${id}">${json}</script>`);
}

/** Returns CSS text that is safe inside a `<style>` element: the character that could end it is CSS-escaped. */
export function inlineStyle(css: string): Html {
  return trustedHtml(`<style>${css.replaceAll('<', '\\3c ')}</style>`);
}
