import { options, type VNode } from 'preact';
import { pageAddress, pageData } from '../page-data.ts';

const PAGE = /^\/(?!\/)/;
const FILE = /\.(?!html?$)[a-z\d]{2,5}$/i;

/** Addresses of the site as they are written from this page: sites stand below a path, and bundles open from a disk. */
function siteAddress(address: string): string {
  if (!PAGE.test(address)) return address;
  const data = pageData();
  const path = address.replace(/[?#][\s\S]*/, '');
  return FILE.test(path) ? data.root + encodeURI(address.slice(1)) : pageAddress(data, address);
}

/** What components write into links and images is an address of the site. */
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
