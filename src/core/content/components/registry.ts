import { accordions } from './accordions.ts';
import { callouts } from './callouts.ts';
import { cards } from './cards.ts';
import { code, examples } from './code-group.ts';
import { colors } from './color.ts';
import type { Component } from './define-component.ts';
import { fields } from './fields.ts';
import { badge, inLine } from './in-line.ts';
import { headings, lists } from './lists.ts';
import { media } from './media.ts';
import { prompt, repository } from './prompts.ts';
import { stepComponents } from './steps.ts';
import { tabComponents } from './tabs.ts';
import { trees } from './tree.ts';
import { update } from './update.ts';
import { views } from './view.ts';

/** Components that share one documentation page, `docs/components/<page>.mdx`. */
export interface ComponentFamily {
  readonly page: string;
  readonly title: string;
  readonly description: string;
  readonly icon: string;
  readonly components: readonly Component[];
}

/** Every component that pages can use without an import. */
export const componentFamilies: readonly ComponentFamily[] = [
  {
    page: 'callouts',
    title: 'Callouts',
    description: 'Highlighted boxes: notes, tips, warnings.',
    icon: 'message-square-warning',
    components: callouts,
  },
  {
    page: 'cards',
    title: 'Cards and columns',
    description: 'Boxes in a grid, with optional links.',
    icon: 'layout-grid',
    components: cards,
  },
  { page: 'steps', title: 'Steps', description: 'Step-by-step instructions.', icon: 'list-ordered', components: stepComponents },
  {
    page: 'tabs',
    title: 'Tabs',
    description: 'Alternatives that readers choose from, side by side.',
    icon: 'folder',
    components: tabComponents,
  },
  {
    page: 'accordions',
    title: 'Accordions',
    description: 'Collapsible sections of text and fields.',
    icon: 'chevrons-down-up',
    components: accordions,
  },
  {
    page: 'code-blocks',
    title: 'Groups of code and diagrams',
    description: 'Code blocks with tabs, and code and diagrams from expressions.',
    icon: 'square-code',
    components: code,
  },
  {
    page: 'fields',
    title: 'Fields',
    description: 'Request parameters and response values.',
    icon: 'text-cursor-input',
    components: fields,
  },
  {
    page: 'examples',
    title: 'Examples and panels',
    description: 'Content of the right column.',
    icon: 'panel-right',
    components: examples,
  },
  {
    page: 'media',
    title: 'Frames, images and videos',
    description: 'Images and videos.',
    icon: 'image',
    components: media,
  },
  {
    page: 'text',
    title: 'Icons, badges, tooltips and links',
    description: 'Inline components.',
    icon: 'text',
    components: [...inLine, badge],
  },
  {
    page: 'lists',
    title: 'Lists and headings',
    description: 'Lists with check marks, headings and rules.',
    icon: 'list-checks',
    components: [...lists, ...headings],
  },
  { page: 'trees', title: 'Trees', description: 'Files and folders.', icon: 'folder-tree', components: trees },
  { page: 'colors', title: 'Colors', description: 'Palettes.', icon: 'palette', components: colors },
  {
    page: 'updates',
    title: 'Changelog entries',
    description: 'Entries of a changelog, with tags and a feed.',
    icon: 'megaphone',
    components: [update],
  },
  {
    page: 'views',
    title: 'Views and visibility',
    description: 'Content for one choice, for some readers, or for agents.',
    icon: 'eye',
    components: views,
  },
  {
    page: 'prompts',
    title: 'Prompts and repositories',
    description: 'Prompts for an assistant, and cards that link to repositories.',
    icon: 'sparkles',
    components: [prompt, repository],
  },
];

/** Every component by each of its names. */
export const components: ReadonlyMap<string, Component> = new Map(
  componentFamilies.flatMap((family) =>
    family.components.flatMap((component) => component.names.map((name) => [name, component] as const)),
  ),
);
