import { type Html, trustedHtml } from '../../core/html.ts';

const UNSAFE = /[<>&\u2028\u2029]/g;

/** JSON that can stand inside a `<script>` element: nothing in it can end the element or open a comment. */
export function inlineJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A block of data for the page's scripts. */
export function inlineData(id: string, value: unknown): Html {
  return trustedHtml(`<script type="application/json" id="${id}">${inlineJson(value)}</script>`);
}

/** CSS text that can stand inside a `<style>` element: the sign that could end it is written as CSS escapes it. */
export function inlineStyle(css: string): Html {
  return trustedHtml(`<style>${css.replaceAll('<', '\\3c ')}</style>`);
}
