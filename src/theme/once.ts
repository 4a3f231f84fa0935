import { type Frame, linkScope } from './frame.ts';
import type { SiteView } from './page-view.ts';

const made = new WeakMap<SiteView, Map<string, string>>();

/**
 * Renders a part that is the same for every page of one site, link scope and language only once. It must not depend on anything
 * else of the page.
 */
export function oncePerScope(frame: Frame, part: string, render: () => string): string {
  let parts = made.get(frame.site);
  if (!parts) {
    parts = new Map();
    made.set(frame.site, parts);
  }
  const key = `${part}\n${frame.locale.tag}\n${linkScope(frame)}`;
  let markup = parts.get(key);
  if (markup === undefined) {
    markup = render();
    parts.set(key, markup);
  }
  return markup;
}
