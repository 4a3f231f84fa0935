import { attributes, type Html, trustedHtml } from '../core/html.ts';
import { inlineScripts } from './inline-script-texts.ts';

/**
 * A script inside a document of ours, the only kind that a page's Content-Security-Policy lets run. What differs from page to page
 * is data, in attributes of the element; the text is always the same, so that one hash names it.
 * @param data attributes by name, which the script reads from `document.currentScript`
 */
export function inlineScript(name: keyof typeof inlineScripts, data: Record<string, string | boolean | undefined> = {}): Html {
  // The text is a constant of ours, and the attributes are escaped.
  return trustedHtml(`<script${attributes(data)}>${inlineScripts[name]}</script>`);
}
