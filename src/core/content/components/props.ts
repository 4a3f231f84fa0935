import { escapeHtml, type Html, trustedHtml } from '../../html.ts';
import { type ComponentNode, NodesValue, type PropValue } from '../expand/content-node.ts';
import type { PageRenderer } from '../page-renderer.ts';

/**
 * Props as authors write them: `cols={2}` and `cols="2"`, `defaultOpen` and `defaultOpen="true"`. These readers take
 * what is meant and pass over what cannot be, so no component has to check kinds of values itself.
 */
function first(node: ComponentNode, names: readonly string[]): PropValue {
  for (const name of names) {
    const value = Object.hasOwn(node.props, name) ? node.props[name] : undefined;
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** The first of the named props that is text or a number, as text; undefined where none is. */
export function textProp(node: ComponentNode, ...names: string[]): string | undefined {
  const value = first(node, names);
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** A prop of any kind under the first of these names that has one. */
export function anyProp(node: ComponentNode, ...names: string[]): PropValue {
  return first(node, names);
}

/** A switch: present, `true` or `"true"` is on; absent, `false`, `"false"`, `"no"`, `"0"` is `fallback` or off. */
export function flagProp(node: ComponentNode, name: string, fallback = false): boolean {
  const value = Object.hasOwn(node.props, name) ? node.props[name] : undefined;
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'string') return !/^(false|no|0)$/i.test(value.trim());
  return Boolean(value);
}

/** A number, also where it was written as text; undefined where it is none. */
export function numberProp(node: ComponentNode, ...names: string[]): number | undefined {
  const value = first(node, names);
  const number = typeof value === 'string' ? Number.parseFloat(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A list of texts: an array, or text with commas between. */
export function listProp(node: ComponentNode, name: string): string[] {
  const value = first(node, [name]);
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
  if (typeof value !== 'string') return [];
  const items = value.replace(/^\s*\[|\]\s*$/g, '').split(',');
  return items.map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2')).filter((item) => item !== '');
}

const MARKDOWN_IN_TITLE = /`|\*\*|\]\(/;

/** A title as HTML: JSX is rendered, and text gets its inline Markdown where it holds any. */
export function richProp(node: ComponentNode, page: PageRenderer, ...names: string[]): Html | undefined {
  const value = first(node, names);
  if (value instanceof NodesValue) return page.render(value.nodes);
  if (typeof value === 'string' && MARKDOWN_IN_TITLE.test(value)) return page.inlineMarkdown(value);
  if (typeof value === 'string' || typeof value === 'number') return trustedHtml(escapeHtml(String(value)));
  return undefined;
}

/** The plain text of a title, for ids and labels. */
export function plainProp(node: ComponentNode, page: PageRenderer, ...names: string[]): string | undefined {
  const value = first(node, names);
  if (value instanceof NodesValue) return page.textOf(value.nodes).trim() || undefined;
  if (typeof value === 'string') return value.replace(/`|\*\*/g, '').replace(/\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1');
  return typeof value === 'number' ? String(value) : undefined;
}

/** The component's `icon`, drawn; undefined where it has none. */
export function iconProp(
  node: ComponentNode,
  page: PageRenderer,
  options: { color?: string; sizePx?: number; className?: string } = {},
): Html | undefined {
  const icon = first(node, ['icon']);
  if (icon === undefined || icon === false) return undefined;
  const drawn = page.icon(icon, { ...options, type: textProp(node, 'iconType', 'icontype') });
  return drawn.value === '' ? undefined : drawn;
}

const COLOUR =
  /^(?:#[0-9a-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%/a-z+-]{1,80}\)|var\(--[\w-]{1,80}\))$/i;

/** A CSS colour that may stand in a style attribute; undefined for anything that is not plainly one. */
export function safeColour(value: unknown): string | undefined {
  return typeof value === 'string' && COLOUR.test(value.trim()) ? value.trim() : undefined;
}

/**
 * The author's own `id`, kept as written because links point at it; else one made from `text`. One that the rules of
 * slugs leave as it is goes through the page, which then knows it as a place that links may lead to.
 */
export function anchorProp(node: ComponentNode, page: PageRenderer, text: string): string {
  const own = textProp(node, 'id')?.trim().replace(/\s+/g, '-');
  if (!own) return page.uniqueId(componentSlug(text) || node.name);
  return /^[a-z\d_]+(?:-[a-z\d_]+)*$/.test(own) ? page.uniqueId(own) : own;
}

/** The format's rule for ids of components is not the one for headings: only letters, digits and hyphens stay. */
function componentSlug(text: string): string {
  const slug = text.trim().toLowerCase().replace(/\s+/g, '-');
  return slug.replace(/[^\p{L}\p{M}\p{N}_-]/gu, '').replace(/^-+|-+$/g, '');
}

/** A class attribute: our own classes, and the author's after them. */
export function classNames(node: ComponentNode, own: string): string {
  const extra = textProp(node, 'className', 'class');
  return extra === undefined ? own : `${own} ${extra}`;
}
