import type { SiteSecurity } from '../core/access/site-security.ts';
import type { ApiClient } from './api-client.ts';
import type { Output } from './output.ts';

/** Lists of CSP sources; `none` means an empty list, `default` means the platform's own. */
export interface SecurityOptions {
  scriptSource?: string[];
  frameAncestor?: string[];
}

/** `docent security <site>`: applies the requested changes and prints what the pages of a site allow browsers to do. */
export async function runSecurity(api: ApiClient, site: string, options: SecurityOptions, output: Output): Promise<void> {
  const { scriptSource, frameAncestor } = options;
  const changes: Partial<SiteSecurity> = {
    ...(scriptSource && { scriptSources: isOnly(scriptSource, 'none') ? [] : scriptSource }),
    ...(frameAncestor && { frameAncestors: ancestorsOf(frameAncestor) }),
  };
  const path = `/v1/project/${encodeURIComponent(site)}/security-settings`;
  const isChange = Object.keys(changes).length > 0;
  const settings = await api.request<SiteSecurity>(isChange ? { method: 'PATCH', path, body: changes } : { method: 'GET', path });
  output.print(`Third-party scripts: ${settings.scriptSources.join(' ') || 'none'}`);
  output.print(`Allowed frame ancestors: ${framing(settings)}`);
  output.json(settings);
}

function ancestorsOf(origins: string[]): string[] | null {
  if (isOnly(origins, 'default')) return null;
  return isOnly(origins, 'none') ? [] : origins.map((origin) => (origin === 'self' ? "'self'" : origin));
}

function isOnly(list: readonly string[], word: string): boolean {
  return list.length === 1 && list[0] === word;
}

function framing({ frameAncestors }: SiteSecurity): string {
  if (frameAncestors === null) return 'the platform’s default (DOCENT_FRAME_ANCESTORS)';
  return frameAncestors.join(' ') || 'none';
}
