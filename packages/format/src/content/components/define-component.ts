import type { Html } from '../../html.ts';
import {
  type ComponentNode,
  type ContentNode,
  NodesValue,
  nodeText,
  type PropValue,
} from '../nodes/content-node.ts';
import { inlineMarkdownNodes } from '../nodes/plain-markdown.ts';
import type { PageRenderer } from '../page/page-renderer.ts';
import { safeColor } from './css-colors.ts';

/**
 * The type of a prop. `text` is text, a number or the text of JSX; a `title` may be JSX or contain
 * inline Markdown, which `markdown` always may; a
 * `list` is an array or comma-separated text; an `icon` is a name, an address or JSX; `data` is anything.
 */
interface PropValues {
  text: string;
  title: readonly ContentNode[];
  markdown: readonly ContentNode[];
  flag: boolean;
  number: number;
  list: readonly string[];
  icon: PropValue;
  color: string;
  address: string;
  data: PropValue;
}

export interface PropSchema {
  readonly type: keyof PropValues;
  readonly description: string;
  /** Aliases found in published pages. */
  readonly aliases?: readonly string[];
  /**
   * The allowed words, in lower case, of a `text` or of the items of a `list`; of a `color`, in
   * addition to every CSS color.
   */
  readonly values?: readonly string[];
  /** The default for an absent or invalid value. */
  readonly default?: string | number | boolean;
  /**
   * Without it, readers see a placeholder. `items`: unless the component around it has the prop of
   * that name.
   */
  readonly required?: true | 'items';
  /** Minimum and maximum; other numbers are clamped. */
  readonly range?: readonly [min: number, max: number];
}

export type PropSchemas = Readonly<Record<string, PropSchema>>;

type PropOf<S extends PropSchema> = S extends { type: 'flag' | 'list' }
  ? PropValues[S['type']]
  : S extends { type: 'text'; values: readonly (infer Word)[] }
    ? Word | (S extends { default: string } ? never : undefined)
    : PropValues[S['type']] | (S extends { default: string | number } ? never : undefined);

/** The props of one call, parsed by their schemas. */
export type PropsOf<P extends PropSchemas> = { readonly [Name in keyof P]: PropOf<P[Name]> };

/** Returns the props of a call: lenient in interpretation, ignoring invalid values. */
export function readProps<P extends PropSchemas>(schemas: P, node: ComponentNode): PropsOf<P> {
  const props: Record<string, unknown> = {};
  for (const name in schemas) {
    const schema = schemas[name] as PropSchema;
    const value = givenProp(node, name, schema);
    const read =
      value === undefined && schema.type !== 'list'
        ? undefined
        : READERS[schema.type](value, schema);
    props[name] = read ?? schema.default ?? (schema.type === 'flag' ? false : undefined);
  }
  return props as PropsOf<P>;
}

/** The author's value of a prop, under the first of its names with a value. */
export function givenProp(node: ComponentNode, name: string, schema: PropSchema): PropValue {
  for (const key of [name, ...(schema.aliases ?? [])]) {
    const value = Object.hasOwn(node.props, key) ? node.props[key] : undefined;
    // An empty switch is on: `<Accordion defaultOpen="">`.
    if (value !== undefined && value !== null && (value !== '' || schema.type === 'flag'))
      return value;
  }
  return undefined;
}

/** Returns whether a prop accepts a value without conversion. */
export function isUsable(value: PropValue, schema: PropSchema): boolean {
  // A condition that is false: `icon={isNew && 'star'}`.
  if (value === undefined || value === false || schema.type === 'flag') return true;
  if (schema.type !== 'list') return READERS[schema.type](value, schema) !== undefined;
  const items = Array.isArray(value) || typeof value === 'string' ? readList(value) : undefined;
  return items?.every((item) => schema.values?.includes(item) ?? true) ?? false;
}

type Reader = (value: PropValue, schema: PropSchema) => unknown;

const READERS: Readonly<Record<keyof PropValues, Reader>> = {
  text: (value, { values }) => {
    const text = readText(value);
    return values === undefined ? text : values.find((word) => word === text?.trim().toLowerCase());
  },
  title: (value) => titleNodes(value, false),
  markdown: (value) => titleNodes(value, true),
  flag: (value) =>
    typeof value === 'string'
      ? !/^(false|no|0)$/i.test(value.trim())
      : !(value instanceof NodesValue) && Boolean(value),
  number: (value, { range }) => {
    const number = typeof value === 'string' ? Number.parseFloat(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
    return range ? Math.min(Math.max(Math.round(number), range[0]), range[1]) : number;
  },
  list: (value, { values }) => readList(value).filter((item) => values?.includes(item) ?? true),
  icon: (value) => (typeof value === 'string' || value instanceof NodesValue ? value : undefined),
  color: (value, { values }) =>
    typeof value === 'string' && values?.includes(value) ? value : safeColor(value),
  address: (value) => (value instanceof NodesValue ? undefined : readText(value)),
  data: (value) => value,
};

function readText(value: PropValue): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof NodesValue) return nodeText(value.nodes).trim() || undefined;
  return typeof value === 'number' ? String(value) : undefined;
}

function readList(value: PropValue): string[] {
  if (Array.isArray(value)) return value.map(readText).filter((item) => item !== undefined);
  if (typeof value !== 'string') return readList([value]);
  const items = value.replace(/^\s*\[|\]\s*$/g, '').split(',');
  return items
    .map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((item) => item !== '');
}

const MARKDOWN_IN_TITLE = /`|\*\*|\]\(/;

function titleNodes(value: PropValue, isMarkdown: boolean): readonly ContentNode[] | undefined {
  if (value instanceof NodesValue) return value.nodes;
  const text = readText(value);
  if (text === undefined) return undefined;
  return typeof value === 'string' && (isMarkdown || MARKDOWN_IN_TITLE.test(text))
    ? inlineMarkdownNodes(text)
    : [{ type: 'text', value: text }];
}

/** Returns the plain text of a title, for ids and labels. */
export function labelOf(title: readonly ContentNode[] | undefined): string | undefined {
  return (title && nodeText(title).trim()) || undefined;
}

export const ICON_PROPS = {
  icon: { type: 'icon', description: 'An icon name, the URL of an image, or JSX.' },
  iconType: {
    type: 'text',
    aliases: ['icontype'],
    description: 'The style of a Font Awesome icon, for example `solid`.',
  },
} as const satisfies PropSchemas;

/** Returns the rendered icon of a component; undefined if it has none. */
export function iconOf(
  { icon, iconType }: PropsOf<typeof ICON_PROPS>,
  page: PageRenderer,
  color?: string,
): Html | undefined {
  if (icon === undefined) return undefined;
  const drawn = page.icon(icon, { type: iconType, color });
  return drawn.value === '' ? undefined : drawn;
}

export const ID_PROP = {
  id: { type: 'text', description: 'The id for links; by default, derived from the title.' },
} as const satisfies PropSchemas;

/**
 * Returns the author's own `id`, unchanged because links point at it; otherwise one generated from
 * `text`. An id that the slug rules leave unchanged is registered with the page as a link target.
 */
export function anchorOf(
  { id }: PropsOf<typeof ID_PROP>,
  node: ComponentNode,
  page: PageRenderer,
  text: string,
): string {
  const ownId = id?.trim().replace(/\s+/g, '-');
  if (!ownId) return page.uniqueId(componentSlug(text) || node.name);
  return /^[a-z\d_]+(?:-[a-z\d_]+)*$/.test(ownId) ? page.uniqueId(ownId) : ownId;
}

/**
 * The format's id rule for components differs from the one for headings: only letters, digits and
 * hyphens stay.
 */
function componentSlug(text: string): string {
  const slug = text.trim().toLowerCase().replace(/\s+/g, '-');
  return slug.replace(/[^\p{L}\p{M}\p{N}_-]/gu, '').replace(/^-+|(?<!-)-+$/g, '');
}

export const CLASS_PROP = {
  className: {
    type: 'text',
    aliases: ['class'],
    description: 'Class names for custom style sheets.',
  },
} as const satisfies PropSchemas;

/** Returns a class attribute: built-in classes, then the author's. */
export function classNames({ className }: PropsOf<typeof CLASS_PROP>, baseClasses: string): string {
  return className === undefined ? baseClasses : `${baseClasses} ${className}`;
}

/**
 * The complete definition of one component: its names, its props and its output. Its page in
 * `docs/components` and the warnings about its calls are generated from it.
 */
interface ComponentDefinition<P extends PropSchemas> {
  /** Names in pages: the documented name first, then aliases found in published pages. */
  readonly names: readonly [string, ...string[]];
  readonly summary: string;
  /** None by default. */
  readonly props?: P;
  /** MDX example for its documentation page; absent if another component's example includes it. */
  readonly example?: string;
  /** An inline component. All others are blocks, which paragraphs cannot contain. */
  readonly inline?: boolean;
  /** Names of its required direct parents. */
  readonly parents?: readonly string[];
  /**
   * With an `href`, the whole component is one link (`whole`), or the link of its title covers it
   * and other links still work (`cover`).
   */
  readonly link?: 'whole' | 'cover';
  /** Its HTML. Defaults to the HTML of its Markdown form. */
  html?(props: PropsOf<P>, node: ComponentNode, page: PageRenderer): Html;
  /**
   * Its Markdown form, as plain elements with all visible content. Used for the page's `.md` and
   * `llms-full.txt`, for search and for answers. Defaults to its contents.
   */
  markdown?(props: PropsOf<P>, node: ComponentNode): readonly ContentNode[];
}

/** A component as the renderers use it. */
export interface Component
  extends Omit<ComponentDefinition<PropSchemas>, 'props' | 'html' | 'markdown'> {
  readonly props: PropSchemas;
  html(node: ComponentNode, page: PageRenderer): Html;
  /** Returns the same nodes for every request of the same call. */
  markdown(node: ComponentNode): readonly ContentNode[];
}

/** Creates a component from its definition. */
export function defineComponent<const P extends PropSchemas>(
  definition: ComponentDefinition<P>,
): Component {
  const { html, markdown, props = {} as P } = definition;
  // The HTML and the sections of a page identify a heading by its node, and the texts of a page are
  // requested several times.
  const nodesByComponent = new WeakMap<ComponentNode, readonly ContentNode[]>();
  const plain = (node: ComponentNode): readonly ContentNode[] => {
    if (!markdown) return node.children;
    const nodes = nodesByComponent.get(node) ?? markdown(readProps(props, node), node);
    nodesByComponent.set(node, nodes);
    return nodes;
  };
  return {
    ...definition,
    props,
    html: (node, page) =>
      html ? html(readProps(props, node), node, page) : page.render(plain(node)),
    markdown: plain,
  };
}
