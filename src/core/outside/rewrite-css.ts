import { type CssAddress, cssAddresses } from './css-addresses.ts';

/**
 * Rewrites the addresses of a style sheet.
 * @param resolve returns the address to write; undefined to remove it, which keeps the rest of its declaration
 */
export function rewriteCss(css: string, resolve: (address: CssAddress) => string | undefined): string {
  let out = '';
  let from = 0;
  for (const address of cssAddresses(css)) {
    const instead = resolve(address);
    if (instead === address.target) continue;
    const isLeftOut = instead === undefined && address.rule;
    const { start, end } = isLeftOut ? isLeftOut : address;
    out += css.slice(from, start) + (isLeftOut ? '' : written(address, instead));
    from = end;
  }
  return from === 0 ? css : out + css.slice(from);
}

/** Each is valid in place of an address and loads nothing. */
function written({ isString, kind }: CssAddress, address: string | undefined): string {
  if (address === undefined) return isString ? 'url("data:,")' : kind === 'font' ? 'local("")' : 'none';
  const quoted = `"${address.replace(/["\\\n\r\f<>]/g, encodeURIComponent)}"`;
  return isString ? quoted : `url(${quoted})`;
}
