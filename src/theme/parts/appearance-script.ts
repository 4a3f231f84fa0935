import type { Appearance } from '../../core/docs-json/site-config.ts';

/** Where the reader's choice is kept in the browser. `elements/appearance.ts` writes it. */
export const APPEARANCE_KEY = 'docent-appearance';
/** Where the hash of the last dismissed announcement is kept. `elements/banner.ts` writes it. */
export const BANNER_KEY = 'docent-banner';

/**
 * The script that runs before the first paint, so that no page flashes in the wrong colours and a dismissed
 * announcement leaves no gap; it also says whose keyboard it is, so that the search key does not change under the eye. Storage may be forbidden, then the site's default holds. A strict appearance ignores
 * the reader's choice. The text depends on the site alone, so that a content security policy can name its hash.
 */
export function appearanceScript(appearance: { default: Appearance; strict: boolean }): string {
  const read = appearance.strict ? '' : `a=s.getItem("${APPEARANCE_KEY}")||a;`;
  return (
    `(function(e,a){e.classList.add("js");if(/Mac|iP(hone|ad)/.test(navigator.platform))e.classList.add("mac");try{var s=localStorage;${read}` +
    `var b=s.getItem("${BANNER_KEY}");if(b)e.dataset.bannerDismissed=b}catch(_){}` +
    `e.dataset.appearance=a;` +
    `e.classList.toggle("dark",a=="dark"||a!="light"&&matchMedia("(prefers-color-scheme:dark)").matches)` +
    `})(document.documentElement,"${appearance.default}")`
  );
}
