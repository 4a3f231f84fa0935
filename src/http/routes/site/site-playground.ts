import type { FastifyRequest } from 'fastify';
import { DocentError } from '../../../core/errors.ts';
import type { CallingSite } from '../../../services/assistant/call-api.ts';
import type { Deps } from '../../../services/deps.ts';
import type { LiveSite } from '../../../services/sites/live-sites.ts';
import type { App } from '../../app-types.ts';
import { playgroundRoutes } from './playground-routes.ts';

/** A site as far as calls to its APIs need it. */
export function callingSite({ slug, build, pageContent }: LiveSite): CallingSite {
  return {
    name: slug,
    pageHtml: async (href) => {
      const page = build.pages.find((one) => one.href === href);
      return page && (await pageContent(page.path))?.html;
    },
  };
}

/** Calls of the API pages of each published site, where the operator allows them (`DOCENT_PLAYGROUND_PROXY`). */
export function sitePlaygroundRoutes(app: App, deps: Deps): void {
  if (!deps.config.playgroundProxy) return;
  playgroundRoutes(app, deps, '/sites/:slug/_docent/playground', async (request: FastifyRequest) => {
    const { slug } = request.params as { slug: string };
    const site = await deps.liveSites.findShown(slug);
    if (!site) throw new DocentError('site_not_found', `There is no published site "${slug}".`);
    return callingSite(site);
  });
}
