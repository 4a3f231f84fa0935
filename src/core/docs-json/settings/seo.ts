import { z } from 'zod';
import { about } from '../annotations.ts';
import { filledText, httpAddress, listOf } from '../schema-parts.ts';
import type { Organization, SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const metatag = z.union([z.string(), z.number(), z.boolean()], { error: 'a text' }).transform(String);

const organization: z.ZodType<Organization> = z.object({
  id: about(httpAddress, 'The address that names the organisation.').optional(),
  name: about(filledText, 'Its name; by default that of the project.').optional(),
  legalName: about(filledText, 'Its name in law.').optional(),
  url: about(httpAddress, 'Its site.').optional(),
  logo: about(filledText, 'Its logo: a file of the repository or an address.').optional(),
  sameAs: about(listOf(httpAddress), 'Its pages on other platforms.').optional(),
});

/** `seo`: whether pages outside the navigation are found too (`indexing: all`), and tags for every page's head. */
export const seo: Setting<SiteConfig['seo']> = {
  schema: about(
    z.object({
      indexing: about(
        z.enum(['navigable', 'all']),
        'Which pages search engines, the search field and programs find: those of the navigation, or all.',
      ).default('navigable'),
      metatags: about(
        z.record(z.string().regex(/^[\w:.-]+$/, { error: 'the name of a meta tag' }), metatag),
        'Tags for the head of every page: {"og:type": "website"}.',
      ).default({}),
      organization: about(organization, 'Who publishes the documentation, for search engines.').optional(),
      trailingSlash: about(z.boolean(), 'Whether canonical addresses end in a slash.').optional(),
    }),
    'What search engines get.',
  ),
  fallback: { indexing: 'navigable', metatags: {} },
};
