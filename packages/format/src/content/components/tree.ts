import { attributes, type Html, html, joinHtml } from '../../html.ts';
import {
  type ComponentNode,
  type ContentNode,
  type ElementNode,
  nodeText,
} from '../nodes/content-node.ts';
import { childComponents, element, isBlank } from '../nodes/plain-nodes.ts';
import type { PageRenderer } from '../page/page-renderer.ts';
import {
  type Component,
  defineComponent,
  ICON_PROPS,
  iconOf,
  labelOf,
  type PropSchemas,
  readProps,
} from './define-component.ts';

const FOLDERS = ['Tree.Folder', 'FileTree.Folder', 'Folder'] as const;
const FILES = ['Tree.File', 'FileTree.File', 'File'] as const;
const ENTRIES = [...FOLDERS, ...FILES];
const TREES = ['Tree', 'FileTree', 'Files'] as const;

const FILE_PROPS = {
  name: { type: 'title', aliases: ['title'], description: 'Its name.' },
  highlight: { type: 'flag', description: 'Whether to highlight it.' },
  ...ICON_PROPS,
} as const satisfies PropSchemas;

const FOLDER_PROPS = {
  ...FILE_PROPS,
  defaultOpen: { type: 'flag', description: 'Whether it is initially open.' },
  openable: {
    type: 'flag',
    default: true,
    description: 'Whether readers can expand and collapse it.',
  },
} as const satisfies PropSchemas;

const tree = defineComponent({
  names: TREES,
  summary: 'Files and folders, as components or as a nested Markdown list.',
  example: `<Tree>
  <Tree.Folder name="docs" defaultOpen>
    <Tree.File name="docs.json" highlight />
    <Tree.File name="index.mdx" />
  </Tree.Folder>
</Tree>`,
  html(_, node, page) {
    page.need('docent-tree');
    return html`<docent-tree class="d-tree tree" data-component="tree"><ul>${renderEntries(node.children, page)}</ul></docent-tree>`;
  },
  markdown: (_, { children }) => entryList(children),
});

/** A folder or a file outside a tree renders as a tree with one entry. */
const treeEntry = (
  names: readonly [string, ...string[]],
  parents: readonly string[],
  summary: string,
  props: PropSchemas,
) =>
  defineComponent({
    names,
    parents,
    summary,
    props,
    html(_, node, page) {
      page.need('docent-tree');
      return html`<docent-tree class="d-tree tree" data-component="tree"><ul>${renderEntry(node, page)}</ul></docent-tree>`;
    },
    markdown: (_, node) => entryList([node]),
  });

export const trees: readonly Component[] = [
  tree,
  treeEntry(FOLDERS, [...TREES, ...FOLDERS], 'A folder.', FOLDER_PROPS),
  treeEntry(FILES, [...TREES, ...FOLDERS], 'A file.', FILE_PROPS),
];

/** The entries as a Markdown list; a list of the author stays as it is. */
function entryList(children: readonly ContentNode[]): readonly ContentNode[] {
  const entries = childComponents(children, ...ENTRIES);
  if (entries.length === 0) return children;
  const items = entries.map((entry) => element('li', {}, entryName(entry), listIn(entry)));
  return [element('ul', {}, items)];
}

/** The contents of a folder; the text of an entry without children is its name. */
function listIn(entry: ComponentNode): readonly ContentNode[] {
  return readProps(FILE_PROPS, entry).name === undefined || isBlank(entry.children)
    ? []
    : entryList(entry.children);
}

function entryName(node: ComponentNode): string {
  return labelOf(readProps(FILE_PROPS, node).name) ?? nodeText(node.children).trim();
}

function renderEntries(nodes: readonly ContentNode[], page: PageRenderer): Html {
  const entries = childComponents(nodes, ...ENTRIES);
  if (entries.length > 0) return joinHtml(entries.map((entry) => renderEntry(entry, page)));
  return joinHtml(listItems(nodes).map((item) => renderListItem(item, page)));
}

function renderEntry(node: ComponentNode, page: PageRenderer): Html {
  const name = entryName(node);
  const { highlight, openable, defaultOpen, ...icon } = readProps(FOLDER_PROPS, node);
  if (FILES.some((file) => file === node.name))
    return fileItem(name, highlight, iconOf(icon, page));
  return folderItem(name, highlight, renderEntries(node.children, page), openable, defaultOpen);
}

function fileItem(name: string, highlight: boolean, icon?: Html): Html {
  return html`<li class="tree-file"${attributes({ 'data-highlight': highlight })}><span class="d-node">${icon ?? html`<i class="d-sign" data-sign="file" aria-hidden="true"></i>`}<span>${name}</span></span></li>`;
}

function folderItem(
  name: string,
  highlight: boolean,
  entries: Html,
  openable = true,
  open = true,
): Html {
  const label = html`<i class="d-sign" data-sign="folder" aria-hidden="true"></i><span>${name}</span>`;
  const attrs = attributes({ 'data-highlight': highlight });
  if (!openable)
    return html`<li class="tree-folder"${attrs}><span class="d-node">${label}</span><ul>${entries}</ul></li>`;
  return html`<li class="tree-folder"${attrs}><details class="d-node-folder"${attributes({ open })}><summary class="d-node"><i class="d-sign" data-sign="chevron" aria-hidden="true"></i>${label}</summary><ul>${entries}</ul></details></li>`;
}

function listItems(nodes: readonly ContentNode[]): ElementNode[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'element') return [];
    return node.tag === 'li' ? [node] : listItems(node.children);
  });
}

/**
 * In a Markdown list, an entry with a nested list or a trailing slash is a folder; bold is a
 * highlight.
 */
function renderListItem(item: ElementNode, page: PageRenderer): Html {
  const lists = item.children.filter(isList);
  const label = item.children.filter((child) => !isList(child));
  const name = nodeText(label).trim();
  const highlight = holdsTag(label, 'strong');
  if (lists.length === 0 && !name.endsWith('/')) return fileItem(name, highlight);
  return folderItem(name.replace(/\/$/, ''), highlight, renderEntries(lists, page));
}

function isList(node: ContentNode): boolean {
  return node.type === 'element' && (node.tag === 'ul' || node.tag === 'ol');
}

function holdsTag(nodes: readonly ContentNode[], tag: string): boolean {
  return nodes.some(
    (node) => node.type === 'element' && (node.tag === tag || holdsTag(node.children, tag)),
  );
}
