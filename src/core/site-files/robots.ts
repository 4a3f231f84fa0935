export interface RobotsOptions {
  /** Absolute address of the sitemap; robots files cannot name a relative one. */
  sitemapUrl?: string;
  /** Blocks every crawler: previews, private sites. */
  disallowAll?: boolean;
  /** For example `search=yes, ai-train=no`; omitted if absent. */
  contentSignal?: string;
}

/** Generates `robots.txt` (RFC 9309). */
export function robotsTxt({ sitemapUrl, disallowAll = false, contentSignal }: RobotsOptions): string {
  const lines = ['User-agent: *'];
  if (contentSignal) lines.push(`Content-Signal: ${singleLine(contentSignal)}`);
  lines.push(disallowAll ? 'Disallow: /' : 'Allow: /');
  if (sitemapUrl && !disallowAll) lines.push('', `Sitemap: ${singleLine(sitemapUrl)}`);
  return `${lines.join('\n')}\n`;
}

function singleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
