import type { IconSource } from '../../core/content/page-renderer.ts';
import type { FetchOutside } from './outside.ts';

/** `/v6.6.0/solid/bolt.svg`, `/v6.6.0/lucide/house.svg` or `/lucide/v1.16.0/house.svg` at the hosts of the service's icons. */
const ICON =
  /^https:\/\/(?:mintlify\.b-cdn\.net|d3gk2c5xim1je2\.cloudfront\.net)\/(?:v[\d.]+\/(?<style>[a-z-]+)|(?<library>lucide|tabler)\/v[\d.]+)\/(?<name>[\w-]+)\.svg$/;

/**
 * Answers the addresses of the hosted service's icons, which authors paste into masks and images, from our own icon sets: these
 * icons need no network. Everything else is fetched.
 */
export function withOwnIcons(fetch: FetchOutside, icons: IconSource): FetchOutside {
  return async (address, request) => {
    const { style, library = style, name = '' } = ICON.exec(address)?.groups ?? {};
    const set = library === 'lucide' || library === 'tabler' ? library : 'fontawesome';
    const icon = name === '' ? undefined : icons.find(name, set, style);
    if (!icon) return fetch(address, request);
    const markup = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${icon.width} ${icon.height}">${icon.body}</svg>`;
    return { bytes: new TextEncoder().encode(markup), type: 'image/svg+xml' };
  };
}
