import { type Html, trustedHtml } from '../../core/html.ts';

/**
 * A block of data for the page's scripts.
 * @param json as `inlineJson` gives it
 */
export function inlineData(id: string, json: string): Html {
  return trustedHtml(`<script type="application/json" id="${id}">${json}</script>`);
}

/** CSS text that can stand inside a `<style>` element: the sign that could end it is written as CSS escapes it. */
export function inlineStyle(css: string): Html {
  return trustedHtml(`<style>${css.replaceAll('<', '\\3c ')}</style>`);
}
