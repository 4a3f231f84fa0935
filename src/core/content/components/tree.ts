import { attributes, type Html, html, joinHtml } from '../../html.ts';
import type { ComponentNode, ContentNode, ElementNode } from '../expand/content-node.ts';
import type { ComponentRenderer, PageRenderer } from '../page-renderer.ts';
import { childComponents } from './child-components.ts';
import { flagProp, iconProp, plainProp } from './props.ts';

const FOLDERS = ['Tree.Folder', 'FileTree.Folder', 'Folder'];
const FILES = ['Tree.File', 'FileTree.File', 'File'];
const ENTRIES = [...FOLDERS, ...FILES];

interface Folder {
  name: string;
  open: boolean;
  openable: boolean;
  highlight: boolean;
  entries: Html;
}

/** `Tree`, `FileTree`: folders and files, given as components or as a nested Markdown list. */
export const tree: ComponentRenderer = (node, page) => {
  page.need('docent-tree');
  return html`<docent-tree class="d-tree tree" data-component="tree"><ul>${renderEntries(node.children, page)}</ul></docent-tree>`;
};

/** A folder or a file outside a tree: a tree of one entry. */
export const treeEntry: ComponentRenderer = (node, page) => {
  page.need('docent-tree');
  return html`<docent-tree class="d-tree tree" data-component="tree"><ul>${renderEntry(node, page)}</ul></docent-tree>`;
};

function renderEntries(nodes: readonly ContentNode[], page: PageRenderer): Html {
  const entries = childComponents(nodes, ...ENTRIES);
  if (entries.length > 0) return joinHtml(entries.map((entry) => renderEntry(entry, page)));
  return joinHtml(listItems(nodes).map((item) => renderListItem(item, page)));
}

function renderEntry(node: ComponentNode, page: PageRenderer): Html {
  const name = plainProp(node, page, 'name', 'title') ?? page.textOf(node.children).trim();
  const highlight = flagProp(node, 'highlight');
  if (FILES.includes(node.name)) return fileItem(html`${name}`, highlight, iconProp(node, page));
  const openable = flagProp(node, 'openable', true);
  return folderItem({
    name,
    highlight,
    openable,
    open: !openable || flagProp(node, 'defaultOpen'),
    entries: renderEntries(node.children, page),
  });
}

function fileItem(name: Html, highlight: boolean, icon: Html | undefined): Html {
  return html`<li${attributes({ 'data-highlight': highlight })}><span class="d-tree-entry">${icon ?? html`<i class="d-sign" data-sign="file" aria-hidden="true"></i>`}<span>${name}</span></span></li>`;
}

function folderItem(folder: Folder): Html {
  const name = html`<i class="d-sign" data-sign="folder" aria-hidden="true"></i><span>${folder.name}</span>`;
  const highlight = attributes({ 'data-highlight': folder.highlight });
  if (!folder.openable) return html`<li${highlight}><span class="d-tree-entry">${name}</span><ul>${folder.entries}</ul></li>`;
  return html`<li${highlight}><details${attributes({ open: folder.open })}><summary class="d-tree-entry"><i class="d-sign" data-sign="chevron" aria-hidden="true"></i>${name}</summary><ul>${folder.entries}</ul></details></li>`;
}

function listItems(nodes: readonly ContentNode[]): ElementNode[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'element') return [];
    return node.tag === 'li' ? [node] : listItems(node.children);
  });
}

/** In a Markdown list an entry with a list of its own, or a name that ends in a slash, is a folder; bold is a highlight. */
function renderListItem(item: ElementNode, page: PageRenderer): Html {
  const lists = item.children.filter(isList);
  const label = item.children.filter((child) => !isList(child));
  const name = page.textOf(label).trim();
  const highlight = holdsTag(label, 'strong');
  if (lists.length === 0 && !name.endsWith('/')) return fileItem(html`${name}`, highlight, undefined);
  return folderItem({
    name: name.replace(/\/$/, ''),
    highlight,
    openable: true,
    open: true,
    entries: renderEntries(lists, page),
  });
}

function isList(node: ContentNode): boolean {
  return node.type === 'element' && (node.tag === 'ul' || node.tag === 'ol');
}

function holdsTag(nodes: readonly ContentNode[], tag: string): boolean {
  return nodes.some((node) => node.type === 'element' && (node.tag === tag || holdsTag(node.children, tag)));
}
