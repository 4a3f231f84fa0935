import { type Html, trustedHtml } from '../core/html.ts';
import { inlineJson } from '../core/inline-json.ts';

/** Asks for the marker below each folder of the address, from the root on; the first that has it is the root of the bundle. */
const FIND_ROOT = `d=p.split("/").slice(0,-1).map(function(_,i,a){return a.slice(0,i+1).join("/")+"/"}),b=r||d.length<2&&"/"||d.find(function(f){var q=new XMLHttpRequest;q.open("HEAD",f+m,false);try{q.send()}catch(_){}return q.status==200})||"/"`;

/** Links to places on the page would lead to the root with a base; they are written whole. */
const KEEP_PLACES = `addEventListener("DOMContentLoaded",function(){document.querySelectorAll('a[href^="#"]').forEach(function(a){a.href=p+l.search+a.getAttribute("href")})})`;

/**
 * A server shows the page for addresses that lead nowhere at any depth, so its relative addresses need a base: the root of the
 * bundle. Where that is not known, it is the first folder of the address that holds a file which only this bundle has.
 * @param basePath where the bundle is served; `''` where that is not known
 * @param marker path of such a file inside the bundle
 */
export function lostPageScript(basePath: string, marker: string): Html {
  const root = basePath === '' ? null : `${basePath}/`;
  return trustedHtml(
    `<script>(function(l,r,m){var p=l.pathname;if(l.protocol=="file:"||/\\/404(\\.html)?$/.test(p))return;` +
      `var ${FIND_ROOT},e=document.createElement("base");e.href=b;document.head.prepend(e);${KEEP_PLACES}` +
      `})(location,${inlineJson(root)},${inlineJson(marker)})</script>`,
  );
}
