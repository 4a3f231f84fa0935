import { z } from 'zod';
import { about } from '../annotations.ts';
import { filledText, httpAddress, listOf } from '../schema-parts.ts';
import type { Organization, SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const metatag = z.union([z.string(), z.number(), z.boolean()], { error: 'a text' }).transform(String);

const organization: z.ZodType<Organization> = z.object({
  id: about(httpAddress, 'The URL that identifies the organization.').optional(),
  name: about(filledText, 'Its name; by default that of the project.').optional(),
  legalName: about(filledText, 'Its legal name.').optional(),
  url: about(httpAddress, 'Its site.').optional(),
  logo: about(filledText, 'Its logo: a file of the repository or a URL.').optional(),
  sameAs: about(listOf(httpAddress), 'Its profiles on other platforms.').optional(),
});

/** `seo`: whether pages outside the navigation are indexed too (`indexing: all`), and tags for every page's head. */
export const seo: Setting<SiteConfig['seo']> = {
  schema: about(
    z.object({
      indexing: about(
        z.enum(['navigable', 'all']),
        'Which pages search engines, site search and agents find: those in the navigation, or all.',
      ).default('navigable'),
      metatags: about(
        z.record(z.string().regex(/^[\w:.-]+$/, { error: 'the name of a meta tag' }), metatag),
        'Meta tags for every page: {"og:type": "website"}.',
      ).default({}),
      organization: about(organization, 'The publisher of the documentation, for search engines.').optional(),
      trailingSlash: about(z.boolean(), 'Whether canonical URLs end in a slash.').optional(),
    }),
    'Search engine optimization.',
  ),
  fallback: { indexing: 'navigable', metatags: {} },
};
