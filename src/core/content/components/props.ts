import type { Html } from '../../html.ts';
import { type ComponentNode, type ContentNode, NodesValue, type PropValue } from '../expand/content-node.ts';
import { nodeText } from '../markdown/node-text.ts';
import { inlineMarkdownNodes } from '../markdown/plain-markdown.ts';
import type { PageRenderer } from '../page-renderer.ts';

/**
 * What a prop holds. `text` is text or a number; a `title` may be JSX or hold inline Markdown, which `markdown` always does;
 * a `list` is an array, or text with commas between; an `icon` is a name, an address or JSX; `data` is anything.
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
  /** What it does, in a sentence. */
  readonly description: string;
  /** Other names that published pages use for it. */
  readonly aliases?: readonly string[];
  /** The words, in lower case, that a `text` or the items of a `list` may be; of a `color`, beside every CSS color. */
  readonly values?: readonly string[];
  /** What stands for one that is absent or cannot be used. */
  readonly default?: string | number | boolean;
  /** Least and largest number; others are moved to the nearest of the two. */
  readonly range?: readonly [min: number, max: number];
}

export type PropSchemas = Readonly<Record<string, PropSchema>>;

type PropOf<S extends PropSchema> = S extends { type: 'flag' | 'list' }
  ? PropValues[S['type']]
  : S extends { type: 'text'; values: readonly (infer Word)[] }
    ? Word | (S extends { default: string } ? never : undefined)
    : PropValues[S['type']] | (S extends { default: string | number } ? never : undefined);

/** The props of one call, read by their schemas. */
export type PropsOf<P extends PropSchemas> = { readonly [Name in keyof P]: PropOf<P[Name]> };

/** The props of a call as its component takes them: what is meant is taken, and what cannot be is passed over. */
export function readProps<P extends PropSchemas>(schemas: P, node: ComponentNode): PropsOf<P> {
  const props: Record<string, unknown> = {};
  for (const name in schemas) {
    const schema = schemas[name] as PropSchema;
    const value = givenProp(node, name, schema);
    const read = value === undefined && schema.type !== 'list' ? undefined : READERS[schema.type](value, schema);
    props[name] = read ?? schema.default ?? (schema.type === 'flag' ? false : undefined);
  }
  return props as PropsOf<P>;
}

/** What the author wrote for a prop, under the first of its names that says anything. */
export function givenProp(node: ComponentNode, name: string, schema: PropSchema): PropValue {
  for (const key of [name, ...(schema.aliases ?? [])]) {
    const value = Object.hasOwn(node.props, key) ? node.props[key] : undefined;
    // An empty switch is on: `<Accordion defaultOpen="">`.
    if (value !== undefined && value !== null && (value !== '' || schema.type === 'flag')) return value;
  }
  return undefined;
}

/** Whether a given value is one that the prop takes as it is. */
export function isUsable(value: PropValue, schema: PropSchema): boolean {
  // What a condition leaves out: `icon={isNew && 'star'}`.
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
  flag: (value) => (typeof value === 'string' ? !/^(false|no|0)$/i.test(value.trim()) : Boolean(value)),
  number: (value, { range }) => {
    const number = typeof value === 'string' ? Number.parseFloat(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
    return range ? Math.min(Math.max(Math.round(number), range[0]), range[1]) : number;
  },
  list: (value, { values }) => readList(value).filter((item) => values?.includes(item) ?? true),
  icon: (value) => (typeof value === 'string' || value instanceof NodesValue ? value : undefined),
  color: (value, { values }) => (typeof value === 'string' && values?.includes(value) ? value : safeColor(value)),
  address: readText,
  data: (value) => value,
};

function readText(value: PropValue): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

function readList(value: PropValue): string[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
  if (typeof value !== 'string') return [];
  const items = value.replace(/^\s*\[|\]\s*$/g, '').split(',');
  return items.map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2')).filter((item) => item !== '');
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

/** The plain text of a title, for ids and labels. */
export function labelOf(title: readonly ContentNode[] | undefined): string | undefined {
  return (title && nodeText(title).trim()) || undefined;
}

export const ICON_PROPS = {
  icon: { type: 'icon', description: 'An icon of the library, the address of an image, or JSX.' },
  iconType: { type: 'text', aliases: ['icontype'], description: 'The style of a Font Awesome icon, for example `solid`.' },
} as const satisfies PropSchemas;

/** The icon of a component, drawn; undefined where it has none. */
export function iconOf(
  { icon, iconType }: PropsOf<typeof ICON_PROPS>,
  page: PageRenderer,
  options: { color?: string | undefined } = {},
): Html | undefined {
  if (icon === undefined) return undefined;
  const drawn = page.icon(icon, {
    ...(iconType === undefined ? {} : { type: iconType }),
    ...(options.color === undefined ? {} : { color: options.color }),
  });
  return drawn.value === '' ? undefined : drawn;
}

export const ID_PROP = {
  id: { type: 'text', description: 'The id that links lead to; made from the title otherwise.' },
} as const satisfies PropSchemas;

/**
 * The author's own `id`, kept as written because links point at it; else one made from `text`. One that the rules of
 * slugs leave as it is goes through the page, which then knows it as a place that links may lead to.
 */
export function anchorOf({ id }: PropsOf<typeof ID_PROP>, node: ComponentNode, page: PageRenderer, text: string): string {
  const own = id?.trim().replace(/\s+/g, '-');
  if (!own) return page.uniqueId(componentSlug(text) || node.name);
  return /^[a-z\d_]+(?:-[a-z\d_]+)*$/.test(own) ? page.uniqueId(own) : own;
}

/** The format's rule for ids of components is not the one for headings: only letters, digits and hyphens stay. */
function componentSlug(text: string): string {
  const slug = text.trim().toLowerCase().replace(/\s+/g, '-');
  return slug.replace(/[^\p{L}\p{M}\p{N}_-]/gu, '').replace(/^-+|-+$/g, '');
}

export const CLASS_PROP = {
  className: { type: 'text', aliases: ['class'], description: 'Class names for your own style sheets.' },
} as const satisfies PropSchemas;

/** A class attribute: our own classes, and the author's after them. */
export function classNames({ className }: PropsOf<typeof CLASS_PROP>, own: string): string {
  return className === undefined ? own : `${own} ${className}`;
}

const COLOR =
  /^(?:#[0-9a-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%/a-z+-]{1,80}\)|var\(--[\w-]{1,80}\))$/i;

/** A CSS color that may stand in a style attribute; undefined for anything that is not plainly one. */
export function safeColor(value: unknown): string | undefined {
  return typeof value === 'string' && COLOR.test(value.trim()) ? value.trim() : undefined;
}
