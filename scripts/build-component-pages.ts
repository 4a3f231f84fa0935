import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callouts } from '@docent/format/content/components/callouts.ts';
import { allComponents } from '@docent/format/content/components/registry.ts';
import { accordions } from '../packages/format/src/content/components/accordions.ts';
import { cards } from '../packages/format/src/content/components/cards.ts';
import { code, examples } from '../packages/format/src/content/components/code-group.ts';
import { colors } from '../packages/format/src/content/components/color.ts';
import type {
  Component,
  PropSchema,
} from '../packages/format/src/content/components/define-component.ts';
import { fields } from '../packages/format/src/content/components/fields.ts';
import { inLine } from '../packages/format/src/content/components/in-line.ts';
import { lists } from '../packages/format/src/content/components/lists.ts';
import { media } from '../packages/format/src/content/components/media.ts';
import { prompts } from '../packages/format/src/content/components/prompts.ts';
import { stepComponents } from '../packages/format/src/content/components/steps.ts';
import { tabComponents } from '../packages/format/src/content/components/tabs.ts';
import { trees } from '../packages/format/src/content/components/tree.ts';
import { update } from '../packages/format/src/content/components/update.ts';
import { views } from '../packages/format/src/content/components/view.ts';

// Generates the component pages of our documentation from the component definitions; with --check,
// only reports whether they are up to date.
const folder = fileURLToPath(new URL('../docs/components', import.meta.url));
const menu = fileURLToPath(new URL('../docs/docs.json', import.meta.url));

/** Components that share one documentation page, `docs/components/<page>.mdx`. */
interface ComponentFamily {
  readonly page: string;
  readonly title: string;
  readonly description: string;
  readonly icon: string;
  readonly components: readonly Component[];
}

/** Every component, in the order of the pages. */
const families: readonly ComponentFamily[] = [
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
  {
    page: 'steps',
    title: 'Steps',
    description: 'Step-by-step instructions.',
    icon: 'list-ordered',
    components: stepComponents,
  },
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
    components: inLine,
  },
  {
    page: 'lists',
    title: 'Lists and headings',
    description: 'Lists with check marks, headings and rules.',
    icon: 'list-checks',
    components: lists,
  },
  {
    page: 'trees',
    title: 'Trees',
    description: 'Files and folders.',
    icon: 'folder-tree',
    components: trees,
  },
  {
    page: 'colors',
    title: 'Colors',
    description: 'Palettes.',
    icon: 'palette',
    components: colors,
  },
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
    components: prompts,
  },
];

const TYPES: Readonly<Record<PropSchema['type'], string>> = {
  text: 'text',
  title: 'text, Markdown or JSX',
  markdown: 'Markdown or JSX',
  flag: 'switch',
  number: 'number',
  list: 'list of strings',
  icon: 'icon',
  color: 'color',
  address: 'address',
  data: 'any value',
};

const inCode = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

function expected({ type, values, range }: PropSchema): string {
  if (range) return `number from ${range[0]} to ${range[1]}`;
  if (values === undefined) return TYPES[type];
  return type === 'text'
    ? `one of ${inCode(values)}`
    : `${TYPES[type]}${type === 'list' ? ':' : ', or'} ${inCode(values)}`;
}

function propRow([name, schema]: [string, PropSchema]): string {
  const { aliases = [], default: fallback, description } = schema;
  const meaning = [
    description,
    ...(fallback === undefined || fallback === '' ? [] : [`Default: \`${fallback}\`.`]),
    ...(aliases.length > 0 ? [`Also accepted: ${inCode(aliases)}.`] : []),
  ];
  return `| ${[inCode([name]), expected(schema), meaning.join(' ')].map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
}

function section(component: Component): string {
  const { names, summary, example, props, parents } = component;
  const [name, ...others] = names;
  const rows = Object.entries(props).map(propRow);
  const fence = example?.includes('```') ? '````' : '```';
  return [
    `## ${name}`,
    summary,
    ...(parents ? [`Used in ${inCode(parents)}.`] : []),
    ...(example === undefined ? [] : [example, `${fence}mdx\n${example}\n${fence}`]),
    ...(rows.length === 0
      ? []
      : [['| Prop | Value | Meaning |', '| --- | --- | --- |', ...rows].join('\n')]),
    ...(others.length > 0 ? [`Also accepted: ${inCode(others)}.`] : []),
  ].join('\n\n');
}

function pageOf({ title, description, icon, components }: ComponentFamily): string {
  const head = [
    '---',
    ...Object.entries({ title, description, icon }).map(
      ([name, text]) => `${name}: ${JSON.stringify(text)}`,
    ),
    '---',
  ];
  const note =
    '{/* Generated by scripts/build-component-pages.ts from packages/format/src/content/components. */}';
  return `${[head.join('\n'), note, ...components.map(section)].join('\n\n')}\n`;
}

const pages = new Map(families.map((family) => [`${family.page}.mdx`, pageOf(family)]));
const found = readdirSync(folder).filter((name) => name.endsWith('.mdx'));
const isCurrent = (name: string): boolean =>
  found.includes(name) && readFileSync(join(folder, name), 'utf8') === pages.get(name);
const listed = readFileSync(menu, 'utf8');
const unlisted = families.filter(({ page }) => !listed.includes(`"components/${page}"`));

if (!process.argv.includes('--check')) {
  for (const name of found) if (!pages.has(name)) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
} else if (found.length !== pages.size || ![...pages.keys()].every(isCurrent)) {
  process.stdout.write(
    'docs/components does not match the components; run node scripts/build-component-pages.ts\n',
  );
  process.exitCode = 1;
}
for (const { page } of unlisted) {
  process.stdout.write(
    `docs/docs.json does not list components/${page}; add it to the group "Components"\n`,
  );
  process.exitCode = 1;
}
const documented = new Set(families.flatMap(({ components }) => components));
for (const { names } of allComponents.filter((component) => !documented.has(component))) {
  process.stdout.write(
    `No page documents the component ${names[0]}; add it to a family in scripts/build-component-pages.ts\n`,
  );
  process.exitCode = 1;
}
