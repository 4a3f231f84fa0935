import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Component } from '../src/core/content/components/define-component.ts';
import type { PropSchema } from '../src/core/content/components/props.ts';
import { type ComponentFamily, componentFamilies } from '../src/core/content/components/registry.ts';

// Generates the component pages of our documentation from the component definitions; with --check, only reports whether they are
// up to date.
const folder = fileURLToPath(new URL('../docs/components', import.meta.url));
const menu = fileURLToPath(new URL('../docs/docs.json', import.meta.url));

const TYPES: Readonly<Record<PropSchema['type'], string>> = {
  text: 'text',
  title: 'text, Markdown or JSX',
  markdown: 'Markdown or JSX',
  flag: 'switch',
  number: 'number',
  list: 'list of texts',
  icon: 'icon',
  color: 'color',
  address: 'address',
  data: 'any value',
};

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

function expected({ type, values, range }: PropSchema): string {
  if (range) return `number from ${range[0]} to ${range[1]}`;
  if (values === undefined) return TYPES[type];
  return type === 'text' ? `one of ${code(values)}` : `${TYPES[type]}${type === 'list' ? ':' : ', or'} ${code(values)}`;
}

function propRow([name, schema]: [string, PropSchema]): string {
  const { aliases = [], default: fallback, description } = schema;
  const meaning = [
    description,
    ...(fallback === undefined || fallback === '' ? [] : [`Default: \`${fallback}\`.`]),
    ...(aliases.length > 0 ? [`Also understood: ${code(aliases)}.`] : []),
  ];
  return `| ${[code([name]), expected(schema), meaning.join(' ')].map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
}

function section(component: Component): string {
  const { names, summary, example, props, parents } = component;
  const [name, ...others] = names;
  const rows = Object.entries(props).map(propRow);
  const fence = example?.includes('```') ? '````' : '```';
  return [
    `## ${name}`,
    summary,
    ...(parents ? [`Stands in ${code(parents)}.`] : []),
    ...(example === undefined ? [] : [example, `${fence}mdx\n${example}\n${fence}`]),
    ...(rows.length === 0 ? [] : [['| Prop | Value | Meaning |', '| --- | --- | --- |', ...rows].join('\n')]),
    ...(others.length > 0 ? [`Also understood: ${code(others)}.`] : []),
  ].join('\n\n');
}

function pageOf({ title, description, icon, components }: ComponentFamily): string {
  const head = [
    '---',
    ...Object.entries({ title, description, icon }).map(([name, text]) => `${name}: ${JSON.stringify(text)}`),
    '---',
  ];
  const note = '{/* Made by scripts/build-component-pages.ts from src/core/content/components. */}';
  return `${[head.join('\n'), note, ...components.map(section)].join('\n\n')}\n`;
}

const pages = new Map(componentFamilies.map((family) => [`${family.page}.mdx`, pageOf(family)]));
const found = readdirSync(folder).filter((name) => name.endsWith('.mdx'));
const isCurrent = (name: string): boolean => found.includes(name) && readFileSync(join(folder, name), 'utf8') === pages.get(name);
const listed = readFileSync(menu, 'utf8');
const unlisted = componentFamilies.filter(({ page }) => !listed.includes(`"components/${page}"`));

if (!process.argv.includes('--check')) {
  for (const name of found) if (!pages.has(name)) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
} else if (found.length !== pages.size || ![...pages.keys()].every(isCurrent)) {
  process.stdout.write('docs/components does not match the components; run node scripts/build-component-pages.ts\n');
  process.exitCode = 1;
}
for (const { page } of unlisted) {
  process.stdout.write(`docs/docs.json does not list components/${page}; add it to the group "Components"\n`);
  process.exitCode = 1;
}
