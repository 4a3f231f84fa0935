import { CALL_PATH } from '../../../core/api-reference/playground/api-call.ts';
import type { CallingSite } from '../../../services/assistant/call-api.ts';
import type { Deps } from '../../../services/deps.ts';
import type { LiveSite } from '../../../services/sites/live-sites.ts';
import type { App } from '../../app-types.ts';
import { SITE_ROUTE, shownSite } from './asked-site.ts';
import { type PlaygroundDeps, playgroundRoutes } from './playground-routes.ts';

/** The parts of a site that calls to its APIs need. */
function callingSite({ slug, build, pageContent }: LiveSite): CallingSite {
  return {
    name: slug,
    pageHtml: async (href) => {
      const page = build.pages.find((one) => one.href === href);
      return page && (await pageContent(page.path))?.html;
    },
  };
}

/** Proxies calls of the API pages of each site; only if the operator allows them (`DOCENT_PLAYGROUND_PROXY`). */
export function sitePlaygroundRoutes(app: App, deps: PlaygroundDeps & Pick<Deps, 'liveSites'>): void {
  playgroundRoutes(app, deps, `${SITE_ROUTE}/${CALL_PATH}`, async (request) => callingSite(await shownSite(deps, request)));
}
