import type { IconDrawing, IconSource } from '../core/content/page-renderer.ts';
import { pageContextual } from '../core/docs-json/page-contextual.ts';
import type { SiteConfig } from '../core/docs-json/site-config.ts';
import { attributes, escapeHtml } from '../core/html.ts';
import { linkMark } from '../core/links.ts';
import type { NavigationNode } from '../core/navigation/navigation.ts';
import { splitIcon, styledIcon } from '../core/styled-icon.ts';
import { brandIcons } from '../theme/parts/social-icons.ts';
import type { SiteModel } from './site-model.ts';

const FILE = /^(?:https?:\/\/|\/|\.{1,2}\/)|\.(?:svg|png|jpe?g|webp|gif|avif|ico)$/i;

/**
 * Draws every icon that the shell of a site's pages needs, so that serving a page needs no icon library.
 * @returns markup by the name as the author wrote it; paths of image files are asset marks (`core/links.ts`)
 */
export function drawSiteIcons(model: SiteModel, icons: IconSource): Record<string, string> {
  const drawn = new Map<string, string>();
  for (const name of iconNames(model)) {
    if (drawn.has(name)) continue;
    const markup = FILE.test(name) ? imageMarkup(name) : drawingMarkup(name, model, icons);
    if (markup) drawn.set(name, markup);
  }
  for (const [key, name] of brandIcons(platforms(model))) {
    const drawing = icons.find(name, 'fontawesome', 'brands');
    if (drawing) drawn.set(key, svgMarkup(drawing));
  }
  return Object.fromEntries([...drawn].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function* iconNames({ config, navigation, pages }: SiteModel): Generator<string> {
  for (const node of [...navigation.roots, ...navigation.global]) yield* iconsBelow(node);
  for (const { frontmatter } of pages) if (frontmatter.icon) yield styledIcon(frontmatter.icon, frontmatter.iconType);
  const ownMenus = pages.map(({ frontmatter }) => pageContextual(frontmatter.custom.contextual));
  for (const option of [config.contextual, ...ownMenus].flatMap((menu) => menu?.options ?? []))
    if (option.kind === 'custom' && option.icon) yield option.icon;
  for (const { navbar, footer } of everyFrame(config)) {
    for (const { icon } of [...navbar.links, ...(navbar.primary ? [navbar.primary] : [])]) if (icon) yield icon;
    for (const { icon } of footer.links.flatMap((column) => column.items)) if (icon) yield icon;
  }
}

function* iconsBelow(node: NavigationNode): Generator<string> {
  if (node.kind === 'page') return;
  if (node.icon) yield node.icon;
  for (const child of node.children) yield* iconsBelow(child);
  for (const child of node.kind === 'group' ? [] : (node.global ?? [])) yield* iconsBelow(child);
}

function drawingMarkup(name: string, { config }: SiteModel, icons: IconSource): string | undefined {
  const { name: plain, style } = splitIcon(name);
  const drawing = icons.find(plain, config.iconLibrary, style);
  if (drawing) return svgMarkup(drawing);
  const isEmoji = !/[a-z\d]/i.test(name) && name.length <= 16;
  return isEmoji ? `<span class="d-icon" aria-hidden="true">${escapeHtml(name)}</span>` : undefined;
}

function svgMarkup(drawing: IconDrawing): string {
  return `<svg class="d-icon" viewBox="0 0 ${drawing.width} ${drawing.height}" aria-hidden="true">${drawing.body}</svg>`;
}

/** The site's own header and footer, and those of its languages. */
function everyFrame(config: SiteConfig): Pick<SiteConfig, 'navbar' | 'footer'>[] {
  const { navbar, footer, byLanguage = [] } = config;
  return [{ navbar, footer }, ...byLanguage.map(({ parts }) => ({ navbar, footer, ...parts }))];
}

/** The platforms whose marks the header and the footer show. */
function platforms({ config }: SiteModel): string[] {
  return everyFrame(config).flatMap(({ navbar, footer }) => [
    ...footer.socials.map((link) => link.platform),
    ...(navbar.primary ? [navbar.primary.type] : []),
  ]);
}

function imageMarkup(path: string): string {
  const isRemote = /^https?:/i.test(path);
  if (isRemote) return `<img${attributes({ class: 'd-icon', src: path, alt: '', loading: 'lazy' }).value}>`;
  return `<img class="d-icon" src="${linkMark('asset', `/${path.replace(/^(?:\.?\/)+/, '')}`)}" alt="">`;
}
