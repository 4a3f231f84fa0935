import * as z from 'zod';
import { about, type JsonSchema, withoutEffect } from './settings/annotations.ts';
import { api } from './settings/api.ts';
import { appearanceSettings } from './settings/appearance.ts';
import { contentSettings } from './settings/content.ts';
import { banner, footer, frameSettings, navbar } from './settings/header-footer.ts';
import { integrations } from './settings/integrations.ts';
import {
  graphqlSource,
  hexColor,
  icon,
  iconType,
  lightDark,
  openApiSources,
  sdkSource,
} from './settings/schema-parts.ts';

/** All settings of docs.json except `navigation`, which `format/navigation` reads. */
export const allSettings = {
  ...appearanceSettings,
  ...frameSettings,
  ...contentSettings,
  api,
  integrations,
};

/** What each setting is read as. */
export type SettingValues = {
  [Name in keyof typeof allSettings]: (typeof allSettings)[Name]['fallback'];
};

/**
 * The shape of `navigation` for editors and for warnings about unknown names. `format/navigation`
 * reads the tree itself and checks what a shape cannot express: which pages exist.
 */

const text = z.string();
const flag = z.boolean();
const label = (what: string) => about(text, what);

const descriptions = {
  openapi: about(
    openApiSources,
    'OpenAPI files: their operations become the pages here, unless pages are listed.',
  ).optional(),
  asyncapi: about(
    openApiSources,
    'AsyncAPI files: their channels become the pages here, unless pages are listed.',
  ).optional(),
  graphql: about(
    graphqlSource,
    'A GraphQL schema: adds a page for each operation and type after the listed pages.',
  ).optional(),
  sdk: about(
    sdkSource,
    'The output of a documentation tool for a library: adds a page for each symbol after the listed pages.',
  ).optional(),
};

const findable = {
  hidden: about(flag, 'Whether it is hidden from the menu and from search.').optional(),
  searchable: about(
    flag,
    'Whether search includes the pages; true also includes those of a hidden part.',
  ).optional(),
  boost: about(z.number(), 'The weight of the pages in search; 1 is the default.').optional(),
};

const foreign = {
  sourceRef: withoutEffect(
    z.unknown(),
    'only a site of several repositories has it, in a list of the navigation, so it is ignored',
  ).optional(),
};

const directory = about(
  z.enum(['none', 'accordion', 'card']),
  'How the page of a group ("root") lists the content of the group; nested groups inherit it.',
).optional();

/** The fields of every division in addition to its label. */
const division = {
  icon: icon.optional(),
  iconType: iconType.optional(),
  tag: about(text, 'A badge after the label.').optional(),
  description: about(text, 'A line below the label.').optional(),
  href: about(text, 'A link; a division with a link contains no pages.').optional(),
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
    root: about(text, 'The page to which the title links.').optional(),
    icon: icon.optional(),
    iconType: iconType.optional(),
    tag: about(text, 'A badge after the title.').optional(),
    expanded: about(flag, 'Whether it is initially open; top-level groups always are.').optional(),
    collapsed: about(flag, 'Deprecated: the opposite of "expanded".').optional(),
    directory,
    public: withoutEffect(flag, 'access is the same for the whole site').optional(),
    ...findable,
    ...descriptions,
    ...foreign,
    get pages() {
      return about(pages, 'Pages and groups, in order.').optional();
    },
    get groups() {
      return about(z.array(group), 'Groups, in order.').optional();
    },
  })
  .meta({ id: 'group' });

const pageEntry = about(
  text,
  'A page: its path without extension, "METHOD /path" of an API description, or "openapi.json METHOD /path".',
);

const pages: z.ZodType = z.array(z.union([pageEntry, z.lazy(() => group)]));

/** The contents of the navigation and of every division. */
const children = {
  pages: about(pages, 'Pages and groups, in order.').optional(),
  groups: about(z.array(z.union([z.lazy(() => group), text])), 'Groups, in order.').optional(),
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
    return about(z.array(menuItem), 'The entries of a tab’s menu.').optional();
  },
  get global() {
    return about(global, 'Links on every page.').optional();
  },
};

/** These must stay getters, because the kinds of division are mutually recursive. */
function divisionObject(id: string, ownFields: z.core.$ZodLooseShape): z.ZodType {
  const shape = Object.defineProperties(
    { ...ownFields, ...division },
    Object.getOwnPropertyDescriptors(children),
  );
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
  footer: about(footer.schema, 'The footer of pages in this language.').optional(),
  banner: about(banner.schema, 'The banner of pages in this language.').optional(),
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
  z.object(
    Object.defineProperties(
      { directory, ...descriptions, ...foreign },
      Object.getOwnPropertyDescriptors(children),
    ),
  ),
  'The navigation of the site: pages, groups, tabs, anchors, dropdowns, products, versions or languages, nested in any way.',
);

/** The schema as text, where a build has put it (`scripts/packages/emit-modules.ts`). */
declare const BUILT_DOCS_SCHEMA: string | undefined;

let cachedSchema: JsonSchema | undefined;

/**
 * Returns the schema of docs.json, generated from the checks that read it, in 30 ms. `x-no-effect`
 * explains a setting that has no effect.
 */
export function docsSchema(): JsonSchema {
  cachedSchema ??=
    typeof BUILT_DOCS_SCHEMA === 'undefined'
      ? withShortForms(
          z.toJSONSchema(docsObject(), { io: 'input', unrepresentable: 'any' }) as JsonSchema,
        )
      : (JSON.parse(BUILT_DOCS_SCHEMA) as JsonSchema);
  return cachedSchema;
}

/**
 * Returns the schema for editors, JSON Schema draft 2020-12.
 * @param id address at which it is published
 */
export function editorSchema(id?: string): JsonSchema {
  const { $schema, ...rest } = forEditors(docsSchema());
  return { $schema, $id: id, title: 'docs.json', ...rest };
}

function docsObject(): z.ZodType {
  const settings = Object.entries(allSettings).map(([name, { schema, ...setting }]) => [
    name,
    'required' in setting ? schema : (schema as z.ZodType).optional(),
  ]);
  return z.object({
    $schema: about(z.string(), 'The URL of this schema, for editors.').optional(),
    ...Object.fromEntries(settings),
    openapi: about(openApiSources, 'A deprecated location of "api.openapi".').optional(),
    asyncapi: about(openApiSources, 'A deprecated location of "api.asyncapi".').optional(),
    navigation: navigationSchema,
  });
}

/** Adds the short forms of a setting beside the long one. */
function withShortForms(schema: JsonSchema): JsonSchema {
  const { 'x-also': also, ...rest } = mapParts(schema, withShortForms);
  if (also === undefined) return rest;
  const { description, default: preset, 'x-no-effect': effect, ...long } = rest;
  return {
    description,
    default: preset,
    'x-no-effect': effect,
    anyOf: [...(also.anyOf ?? [also]), long],
  };
}

const REFERENCE: JsonSchema = {
  description: 'A JSON file to include here.',
  type: 'object',
  properties: {
    $ref: { type: 'string', description: 'The path of the file, relative to this one.' },
  },
  required: ['$ref'],
};

/**
 * Adds to the descriptions what settings without effect mean, that unknown names are mistakes, and
 * that any object or list can be in a file of its own.
 */
function forEditors(schema: JsonSchema): JsonSchema {
  const { 'x-no-effect': effect, ...rest } = mapParts(schema, forEditors);
  if (typeof effect === 'string') {
    rest.description = [rest.description, `Has no effect here: ${effect}.`]
      .filter(Boolean)
      .join(' ');
  }
  if (rest.properties !== undefined) {
    rest.properties = { ...rest.properties, ...REFERENCE.properties };
    rest.additionalProperties = false;
    if (rest.required !== undefined)
      rest.anyOf = [{ required: ['$ref'] }, { required: rest.required }];
    delete rest.required;
  }
  if (rest.type !== 'array') return rest;
  const { description, default: preset, ...list } = rest;
  return { description, default: preset, anyOf: [REFERENCE, list] };
}

function mapParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const mapped = { ...schema };
  const record = (parts: Record<string, JsonSchema>) =>
    Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, change(part)]));
  if (schema.properties) mapped.properties = record(schema.properties);
  if (schema.$defs) mapped.$defs = record(schema.$defs);
  if (schema.anyOf) mapped.anyOf = schema.anyOf.map(change);
  if (schema.items) mapped.items = change(schema.items);
  if (typeof schema.additionalProperties === 'object')
    mapped.additionalProperties = change(schema.additionalProperties);
  return mapped;
}
