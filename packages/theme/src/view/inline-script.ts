import { attributes, type Html, trustedHtml } from '@docent/format/html.ts';
import { APPEARANCE_KEY, BANNER_KEY } from './shared-names.ts';

/**
 * Renders an inline script, the only kind that a page's Content-Security-Policy allows.
 * Page-specific values are data in attributes of the element; the text is always the same, so that
 * one hash covers it.
 * @param data attributes by name, which the script reads from `document.currentScript`
 */
export function inlineScript(
  name: keyof typeof inlineScripts,
  data: Record<string, string | boolean | undefined> = {},
): Html {
  // The text is a constant, and the attributes are escaped.
  return trustedHtml(`<script${attributes(data)}>${inlineScripts[name]}</script>`);
}

/**
 * Runs before the first paint, so that no page flashes in the wrong colors and a dismissed banner
 * leaves no gap; it also detects the keyboard, so that the search shortcut does not change visibly.
 * If storage is unavailable, the site's default applies.
 * `data-strict` ignores the reader's choice.
 */
const appearance =
  `(function(e,d){var a=d.appearance;e.classList.add("js");if(/Mac|iP(hone|ad)/.test(navigator.platform))e.classList.add("mac");` +
  `try{var s=localStorage;if(!("strict"in d))a=s.getItem("${APPEARANCE_KEY}")||a;` +
  `var b=s.getItem("${BANNER_KEY}");if(b)e.dataset.bannerDismissed=b}catch(_){}` +
  `e.dataset.appearance=a;` +
  `e.classList.toggle("dark",a=="dark"||a!="light"&&matchMedia("(prefers-color-scheme:dark)").matches)` +
  `})(document.documentElement,document.currentScript.dataset)`;

/**
 * Requests the marker below each folder of the URL, from the root on; the first folder that has it
 * is the root of the bundle.
 */
const FIND_ROOT = `f=p.split("/").slice(0,-1).map(function(_,i,a){return a.slice(0,i+1).join("/")+"/"}),b=d.root||f.length<2&&"/"||f.find(function(r){var q=new XMLHttpRequest;q.open("HEAD",r+d.marker,false);try{q.send()}catch(_){}return q.status==200})||"/"`;

/** With a base, links to anchors on the page would point to the root; they are made absolute. */
const KEEP_PLACES = `addEventListener("DOMContentLoaded",function(){document.querySelectorAll('a[href^="#"]').forEach(function(a){a.href=p+l.search+a.getAttribute("href")})})`;

/**
 * A server shows this page for unknown paths at any depth, so its relative addresses need a base:
 * the root of the bundle,
 * `data-root`. If that is unknown, it is the first folder of the URL that contains `data-marker`, a file that only this bundle
 * has.
 */
const lostPage =
  `(function(l,d){var p=l.pathname;if(l.protocol=="file:"||/\\/404(\\.html)?$/.test(p))return;` +
  `var ${FIND_ROOT},e=document.createElement("base");e.href=b;document.head.prepend(e);${KEEP_PLACES}` +
  `})(location,document.currentScript.dataset)`;

/**
 * Redirects to `data-to`, or to the address of the reader's language in `data-starts`, which is
 * JSON.
 */
const redirect =
  `(function(d){var s=JSON.parse(d.starts||"{}");location.replace((navigator.languages.map(function(l){l=l.toLowerCase();` +
  `return s[l]||s[l.split("-")[0]]}).find(Boolean)||d.to)+location.hash)})(document.currentScript.dataset)`;

/**
 * Immediately removes an authorization server's response from the URL, and passes it to the page
 * that opened it over a channel whose name contains that page's secret `state` (RFC 6749, section
 * 10.12).
 */
const oauth = `
(() => {
  const given = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  const state = given.get('state');
  if (!state) return;
  const channel = new BroadcastChannel('docent-oauth ' + state);
  channel.postMessage({ code: given.get('code'), error: given.get('error'), description: given.get('error_description') });
  channel.close();
  window.close();
})();
`;

/** The text of every inline script in generated documents. */
export const inlineScripts = { appearance, lostPage, redirect, oauth } as const;
