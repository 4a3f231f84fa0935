import { outsideAddress, outsideLabel } from '@docent/format/outside/address.ts';
import { createElement, options, type VNode } from 'preact';
import { loadScript } from '../dom.ts';
import { mayFetch, pageAddress, pageData, siteRoot } from '../page-data.ts';

const PAGE = /^\/(?!\/)/;
const FILE = /\.(?!html?$)[a-z\d]{2,5}$/i;

/**
 * Returns addresses of the site as written from this page: sites may be below a path, and bundles
 * are opened from disk.
 */
function siteAddress(address: string): string {
  if (!PAGE.test(address)) return address;
  const data = pageData();
  const path = address.replace(/[?#][\s\S]*/, '');
  return FILE.test(path) ? data.root + encodeURI(address.slice(1)) : pageAddress(data, address);
}

/** The same for each picture of a `srcset`: an address, then its size. */
function siteSrcSet(value: string): string {
  const candidates = value.split(/,\s+/).map((candidate) => candidate.trim().split(/\s+/));
  return candidates
    .map(([address = '', ...size]) => [siteAddress(address), ...size].join(' '))
    .join(', ');
}

/** Whether the address is that of a file of the site, not of a page. */
function isFileAddress(address: string): boolean {
  return PAGE.test(address) && FILE.test(address.replace(/[?#][\s\S]*/, ''));
}

/** The site's own addresses in CSS: `url(/images/back.png)`. */
function siteCss(css: string): string {
  return css.replace(/url\((["']?)(\/(?!\/)[^"'()]*)\1\)/g, (_, quote: string, address: string) => {
    return `url(${quote}${siteAddress(address)}${quote})`;
  });
}

function siteStyle(style: object): object {
  return Object.fromEntries(
    Object.entries(style).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'string' ? siteCss(value) : value,
    ]),
  );
}

/**
 * The address of the page as code reads and changes it: it names pages as they are named on the
 * site.
 */
export const siteLocation: object = new Proxy(
  {},
  {
    get(_, key) {
      const value: unknown = Reflect.get(location, key);
      if (typeof value !== 'function') return value;
      return (address?: unknown) =>
        value.call(location, typeof address === 'string' ? siteAddress(address) : address);
    },
    set: (_, key, value: unknown) =>
      Reflect.set(
        location,
        key,
        key === 'href' && typeof value === 'string' ? siteAddress(value) : value,
      ),
  },
);

/**
 * A bundle asks no other server, so a picture of one is the box that it is elsewhere in a bundle.
 */
function showAsBox(vnode: VNode, address: string): void {
  const { alt, title, width, height, style, className } = vnode.props as Record<string, unknown>;
  const { text, host } = outsideLabel(address, [alt, title]);
  const ratio =
    Number(width) > 0 && Number(height) > 0
      ? { '--d-outside-ratio': `${width} / ${height}`, maxWidth: `${width}px` }
      : {};
  vnode.type = 'span';
  vnode.props = {
    className: `d-outside ${className ?? ''}`.trim(),
    style: typeof style === 'string' ? style : { ...ratio, ...(style as object | undefined) },
    children: createElement(
      'span',
      { className: 'd-outside-in' },
      createElement('i', { className: 'd-sign', 'data-sign': 'picture', 'aria-hidden': 'true' }),
      createElement('span', null, text),
      createElement('small', null, host),
    ),
  } as VNode['props'];
}

/** Addresses in links, images and styles of components are site addresses. */
export function rewriteAddresses(): void {
  const before = options.vnode;
  const isBundle = pageData().links === 'html';
  options.vnode = (vnode: VNode): void => {
    if (typeof vnode.type === 'string') {
      const props = vnode.props as Record<string, unknown>;
      const outside =
        vnode.type === 'img' && isBundle
          ? outsideAddress(String(props.src ?? props.srcSet ?? ''))
          : undefined;
      if (outside !== undefined) showAsBox(vnode, outside);
      for (const name of ['href', 'src', 'poster']) {
        const value = props[name];
        if (typeof value === 'string') props[name] = siteAddress(value);
      }
      for (const name of ['srcSet', 'srcset']) {
        const value = props[name];
        if (typeof value === 'string') props[name] = siteSrcSet(value);
      }
      if (typeof props.style === 'string') props.style = siteCss(props.style);
      else if (props.style !== null && typeof props.style === 'object')
        props.style = siteStyle(props.style);
      if (vnode.type === 'style' && typeof props.children === 'string')
        props.children = siteCss(props.children);
    }
    before?.(vnode);
  };
}

declare global {
  /** Texts of files of the site, by path, from scripts of the bundle. */
  var docentFiles: Record<string, string> | undefined;
}

/**
 * `fetch` for authors' components: addresses of files are site addresses. A page that is opened from disk cannot fetch, so it
 * loads the file as the script that the bundle has of it.
 * @throws TypeError as `fetch` does, with what to do
 */
export async function fetchFile(address: unknown, options?: RequestInit): Promise<Response> {
  if (typeof address !== 'string' || !isFileAddress(address))
    return fetch(address as RequestInfo, options);
  const url = new URL(siteAddress(address), location.href);
  const root = siteRoot();
  if (mayFetch() || !url.href.startsWith(root)) return fetch(url, options);
  const path = decodeURIComponent(url.href.slice(root.length).replace(/[?#][\s\S]*/, ''));
  if (globalThis.docentFiles?.[path] === undefined)
    await loadScript(`${root}${encodeURI(path)}.js`).catch(() => {});
  const text = globalThis.docentFiles?.[path];
  if (text !== undefined) return new Response(text);
  const message = `"${address}" cannot be read by a page that is opened from disk. Serve the bundle with a web server, or name the file in the code: fetch("/data.json").`;
  console.warn(message);
  throw new TypeError(message);
}
