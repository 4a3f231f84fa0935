import { attributes, type Html, trustedHtml } from '../core/html.ts';
import { inlineScripts } from './inline-script-texts.ts';

/**
 * Renders an inline script, the only kind that a page's Content-Security-Policy allows. Page-specific values are data in
 * attributes of the element; the text is always the same, so that one hash covers it.
 * @param data attributes by name, which the script reads from `document.currentScript`
 */
export function inlineScript(name: keyof typeof inlineScripts, data: Record<string, string | boolean | undefined> = {}): Html {
  // The text is a constant, and the attributes are escaped.
  return trustedHtml(`<script${attributes(data)}>${inlineScripts[name]}</script>`);
}
