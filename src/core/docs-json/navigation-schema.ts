import { z } from 'zod';
import { about, withoutEffect } from './annotations.ts';
import { graphqlSource, hexColor, icon, iconType, lightDark, openApiSources, sdkSource } from './schema-parts.ts';
import { banner } from './settings/banner.ts';
import { footer } from './settings/footer.ts';
import { navbar } from './settings/navbar.ts';

/**
 * The shape of `navigation` for editors and for warnings about unknown names. The tree itself is read by
 * `core/navigation`, which knows more than a shape can say: which pages exist.
 */

const text = z.string();
const flag = z.boolean();
const label = (what: string) => about(text, what);

const descriptions = {
  openapi: about(openApiSources, 'OpenAPI files: their operations are the pages here, where none are listed.').optional(),
  asyncapi: about(openApiSources, 'AsyncAPI files: their channels are the pages here, where none are listed.').optional(),
  graphql: about(graphqlSource, 'A GraphQL schema: a page for each operation and type follows what is listed here.').optional(),
  sdk: about(
    sdkSource,
    'What a documentation tool wrote about a library: a page for each symbol follows what is listed here.',
  ).optional(),
};

const findable = {
  hidden: about(flag, 'Not in the menu, and not found either.').optional(),
  searchable: about(flag, 'Whether search finds the pages; true also finds those of a hidden part.').optional(),
  boost: about(z.number(), 'The weight of the pages in search; 1 is that of others.').optional(),
};

const foreign = {
  sourceRef: withoutEffect(z.unknown(), 'a site is built from one repository, so what it names is left out').optional(),
};

const directory = about(
  z.enum(['none', 'accordion', 'card']),
  'How the page of a group ("root") lists what the group holds; groups inside inherit it.',
).optional();

/** What every division can have beside its label. */
const division = {
  icon: icon.optional(),
  iconType: iconType.optional(),
  tag: about(text, 'A badge behind the label.').optional(),
  description: about(text, 'A line below the label.').optional(),
  href: about(text, 'Leads elsewhere; a division with an address holds no pages.').optional(),
  color: about(lightDark(hexColor, 'The color'), 'The color of the icon.').optional(),
  default: about(flag, 'Shown first.').optional(),
  public: withoutEffect(flag, 'access is the same for the whole site').optional(),
  directory,
  ...findable,
  ...descriptions,
  ...foreign,
};

const group: z.ZodType = z
  .object({
    group: label('The title.'),
    root: about(text, 'The page that the title leads to.').optional(),
    icon: icon.optional(),
    iconType: iconType.optional(),
    tag: about(text, 'A badge behind the title.').optional(),
    expanded: about(flag, 'Whether it is open at first; groups at the top always are.').optional(),
    collapsed: about(flag, 'An older spelling: the opposite of "expanded".').optional(),
    directory,
    public: withoutEffect(flag, 'access is the same for the whole site').optional(),
    ...findable,
    ...descriptions,
    ...foreign,
    get pages() {
      return about(pages, 'Pages and groups in their order.').optional();
    },
    get groups() {
      return about(z.array(group), 'Groups in their order.').optional();
    },
  })
  .meta({ id: 'group' });

const pageEntry = about(
  text,
  'A page: its path without ending, "METHOD /path" of an API description, or "openapi.json METHOD /path".',
);

const pages: z.ZodType = z.array(z.union([pageEntry, z.lazy(() => group)]));

/** What can stand inside the navigation and inside every division. */
const children = {
  pages: about(pages, 'Pages and groups in their order.').optional(),
  groups: about(z.array(z.union([z.lazy(() => group), text])), 'Groups in their order.').optional(),
  get tabs() {
    return about(z.array(tab), 'Tabs above the page.').optional();
  },
  get anchors() {
    return about(z.array(anchor), 'Links above the menu.').optional();
  },
  get dropdowns() {
    return about(z.array(dropdown), 'Choices above the menu.').optional();
  },
  get products() {
    return about(z.array(product), 'Products that readers choose from.').optional();
  },
  get versions() {
    return about(z.array(version), 'Versions that readers choose from.').optional();
  },
  get languages() {
    return about(z.array(language), 'Languages that readers choose from.').optional();
  },
  get menu() {
    return about(z.array(menuItem), 'The entries of a menu below a tab.').optional();
  },
  get global() {
    return about(global, 'Links that stand on every page.').optional();
  },
};

/** Getters must stay getters: the kinds of division hold each other. */
function divisionObject(id: string, own: z.core.$ZodLooseShape): z.ZodType {
  const shape = Object.defineProperties({ ...own, ...division }, Object.getOwnPropertyDescriptors(children));
  return z.object(shape).meta({ id });
}

const tab = divisionObject('tab', { tab: label('The text of the tab.') });
const anchor = divisionObject('anchor', { anchor: label('The text of the link.') });
const dropdown = divisionObject('dropdown', { dropdown: label('The text of the choice.') });
const product = divisionObject('product', { product: label('The name of the product.') });
const version = divisionObject('version', { version: label('The name of the version.') });
const menuItem = divisionObject('menuItem', { item: label('The text of the entry.') });
const language = divisionObject('language', {
  language: label('The code of the language, such as "de" or "pt-BR".'),
  navbar: about(navbar.schema, 'The links in the header for this language.').optional(),
  footer: about(footer.schema, 'The foot of pages in this language.').optional(),
  banner: about(banner.schema, 'The line above pages in this language.').optional(),
});

const global = z.object({
  tabs: z.array(tab).optional(),
  anchors: z.array(anchor).optional(),
  dropdowns: z.array(dropdown).optional(),
  products: z.array(product).optional(),
  versions: z.array(version).optional(),
  languages: z.array(language).optional(),
});

/** `navigation`: an object; a bare list is read as pages and groups. */
export const navigationSchema: z.ZodType = about(
  z.object(Object.defineProperties({ directory, ...descriptions, ...foreign }, Object.getOwnPropertyDescriptors(children))),
  'The menu of the site: pages, groups, tabs, anchors, dropdowns, products, versions or languages, in any nesting.',
);
