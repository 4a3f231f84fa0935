import { options, type VNode } from 'preact';
import { pageAddress, pageData } from '../page-data.ts';

const PAGE = /^\/(?!\/)/;
const FILE = /\.(?!html?$)[a-z\d]{2,5}$/i;

/** Returns addresses of the site as written from this page: sites may be below a path, and bundles are opened from disk. */
function siteAddress(address: string): string {
  if (!PAGE.test(address)) return address;
  const data = pageData();
  const path = address.replace(/[?#][\s\S]*/, '');
  return FILE.test(path) ? data.root + encodeURI(address.slice(1)) : pageAddress(data, address);
}

/** Addresses in links and images of components are site addresses. */
export function rewriteAddresses(): void {
  const before = options.vnode;
  options.vnode = (vnode: VNode): void => {
    if (typeof vnode.type === 'string') {
      const props = vnode.props as Record<string, unknown>;
      for (const name of ['href', 'src', 'poster']) {
        const value = props[name];
        if (typeof value === 'string') props[name] = siteAddress(value);
      }
    }
    before?.(vnode);
  };
}
