import { unknownIcon } from '@docent/format/content/page/page-icon.ts';
import type { IconDrawing, IconSource } from '@docent/format/content/page/page-renderer.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { pageContextual } from '@docent/format/docs-json/settings/content.ts';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { attributes, escapeHtml } from '@docent/format/html.ts';
import { linkMark } from '@docent/format/links.ts';
import type { NavigationNode } from '@docent/format/navigation/navigation.ts';
import { splitIcon, styledIcon } from '@docent/format/styled-icon.ts';
import { brandIcons } from '@docent/theme/parts/icons.ts';
import type { SiteModel } from '../site/site-model.ts';

const FILE = /^(?:https?:\/\/|\/|\.{1,2}\/)|\.(?:svg|png|jpe?g|webp|gif|avif|ico)$/i;

/**
 * Draws every icon that the shell of a site's pages needs, so that serving a page needs no icon
 * library.
 * @param diagnostics receives a warning for each place that names an unknown icon
 * @returns markup by the name as the author wrote it; paths of image files are asset marks
 *   (`format/links.ts`)
 */
export function drawSiteIcons(
  model: SiteModel,
  icons: IconSource,
  diagnostics: Diagnostic[],
): Record<string, string> {
  const drawn = new Map<string, string>();
  for (const { name, file } of iconNames(model)) {
    if (drawn.has(name)) continue;
    const markup = FILE.test(name) ? imageMarkup(name) : drawingMarkup(name, model, icons);
    if (markup) drawn.set(name, markup);
    else diagnostics.push(unknownIcon(name, model.config.iconLibrary, file, icons));
  }
  for (const [key, name] of brandIcons(platforms(model))) {
    const drawing = icons.find(name, 'fontawesome', 'brands');
    if (drawing) drawn.set(key, svgMarkup(drawing));
  }
  return Object.fromEntries([...drawn].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Every icon that the author names, with the file that names it. */
function* iconNames({
  config,
  navigation,
  pages,
}: SiteModel): Generator<{ name: string; file: string }> {
  for (const name of configIcons(config)) yield { name, file: 'docs.json' };
  for (const name of [...navigation.roots, ...navigation.global].flatMap(iconsBelow))
    yield { name, file: 'docs.json' };
  for (const { frontmatter, file } of pages) {
    if (frontmatter.icon) yield { name: styledIcon(frontmatter.icon, frontmatter.iconType), file };
    for (const name of menuIcons(pageContextual(frontmatter.custom.contextual)))
      yield { name, file };
  }
}

function configIcons(config: SiteConfig): string[] {
  const links = everyFrame(config).flatMap(({ navbar, footer }) => [
    ...navbar.links,
    ...(navbar.primary ? [navbar.primary] : []),
    ...footer.links.flatMap((column) => column.items),
  ]);
  return [...menuIcons(config.contextual), ...links.flatMap(({ icon }) => icon || [])];
}

function menuIcons(menu: ReturnType<typeof pageContextual>): string[] {
  return (menu?.options ?? []).flatMap((option) => (option.kind === 'custom' && option.icon) || []);
}

function iconsBelow(node: NavigationNode): string[] {
  if (node.kind === 'page') return [];
  const below = [...node.children, ...(node.kind === 'group' ? [] : (node.global ?? []))];
  return [...(node.icon ? [node.icon] : []), ...below.flatMap(iconsBelow)];
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
  if (/^https?:/i.test(path))
    return `<img${attributes({ class: 'd-icon', src: path, alt: '', loading: 'lazy' }).value}>`;
  return `<img class="d-icon" src="${linkMark('asset', `/${path.replace(/^(?:\.?\/)+/, '')}`)}" alt="">`;
}
