import type { SiteSecurity } from '../../core/access/site-settings.ts';
import type { ServerCommands } from './server-commands.ts';

/** Lists of CSP sources; `none` means an empty list, `default` means the platform's own. */
interface SecurityOptions {
  scriptSource?: string[];
  frameAncestor?: string[];
}

/** `docent security <site>`: applies the requested changes and prints what the pages of a site allow browsers to do. */
export function addSecurityCommand({ program, add, action }: ServerCommands): void {
  add(program, 'security <site>', 'Show or change the Content-Security-Policy of a site; each list replaces the previous one')
    .option('--script-source <source...>', 'https hosts and hashes of scripts that may run beside the site\'s own, or "none"')
    .option('--frame-ancestor <origin...>', 'origins that may embed the site in a frame, "self", "none" or "default"')
    .action(
      action(async (api, output, site: string, { scriptSource, frameAncestor }: SecurityOptions) => {
        const body: Partial<SiteSecurity> = {
          ...(scriptSource && { scriptSources: isOnly(scriptSource, 'none') ? [] : scriptSource }),
          ...(frameAncestor && { frameAncestors: ancestorsOf(frameAncestor) }),
        };
        const path = `/v1/project/${encodeURIComponent(site)}/security-settings`;
        const isChange = Object.keys(body).length > 0;
        const settings = await api.request<SiteSecurity>(isChange ? { method: 'PATCH', path, body } : { method: 'GET', path });
        output.print(`Third-party scripts: ${settings.scriptSources.join(' ') || 'none'}`);
        output.print(`Allowed frame ancestors: ${framing(settings)}`);
        output.json(settings);
      }),
    );
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
