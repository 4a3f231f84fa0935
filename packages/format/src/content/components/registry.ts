import { accordions } from './accordions.ts';
import { callouts } from './callouts.ts';
import { cards } from './cards.ts';
import { code, examples } from './code-group.ts';
import { colors } from './color.ts';
import type { Component } from './define-component.ts';
import { fields } from './fields.ts';
import { inLine } from './in-line.ts';
import { lists } from './lists.ts';
import { media } from './media.ts';
import { prompts } from './prompts.ts';
import { stepComponents } from './steps.ts';
import { tabComponents } from './tabs.ts';
import { trees } from './tree.ts';
import { update } from './update.ts';
import { views } from './view.ts';

export const allComponents: readonly Component[] = [
  ...accordions,
  ...callouts,
  ...cards,
  ...code,
  ...colors,
  ...examples,
  ...fields,
  ...inLine,
  ...lists,
  ...media,
  ...prompts,
  ...stepComponents,
  ...tabComponents,
  ...trees,
  update,
  ...views,
];

/** Every component that pages can use without an import, by each of its names. */
export const components: ReadonlyMap<string, Component> = new Map(
  allComponents.flatMap((component) => component.names.map((name) => [name, component] as const)),
);
