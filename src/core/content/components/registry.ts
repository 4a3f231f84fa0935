import type { ComponentRenderer } from '../page-renderer.ts';
import { accordion, accordionGroup, expandable } from './accordions.ts';
import { badge } from './badge.ts';
import { callout, presetCallout } from './callouts.ts';
import { card, column, columns, tile } from './cards.ts';
import { codeBlock, codeGroup, mermaid } from './code-group.ts';
import { color, colorItem, colorRow } from './color.ts';
import { example, panel } from './examples.ts';
import { paramField, responseField } from './fields.ts';
import { frame } from './frame.ts';
import { githubRepo } from './github-repo.ts';
import { heading } from './heading.ts';
import { icon, latex, mention, tooltip } from './inline.ts';
import { prompt } from './prompt.ts';
import { step, steps } from './steps.ts';
import { tab, tabs } from './tabs.ts';
import { tree, treeEntry } from './tree.ts';
import { unofficialComponents } from './unofficial.ts';
import { update } from './update.ts';
import { variation, view, visibility } from './view.ts';

/** Every component that a page may call without importing it, by name. */
export const components: ReadonlyMap<string, ComponentRenderer> = new Map<string, ComponentRenderer>([
  ['Note', presetCallout('note')],
  ['Info', presetCallout('info')],
  ['Tip', presetCallout('tip')],
  ['Check', presetCallout('check')],
  ['Warning', presetCallout('warning')],
  ['Danger', presetCallout('danger')],
  ['Callout', callout],
  ['Card', card],
  ['CardGroup', columns],
  ['Cards', columns],
  ['Columns', columns],
  ['Column', column],
  ['Tile', tile],
  ['Steps', steps],
  ['Step', step],
  ['Tabs', tabs],
  ['Tab', tab],
  ['Tabs.Tab', tab],
  ['TabItem', tab],
  ['CodeGroup', codeGroup],
  ['CodeBlock', codeBlock],
  ['Mermaid', mermaid],
  ['Accordion', accordion],
  ['AccordionGroup', accordionGroup],
  ['Expandable', expandable],
  ['Frame', frame],
  ['Icon', icon],
  ['Tooltip', tooltip],
  ['Mention', mention],
  ['Latex', latex],
  ['ParamField', paramField],
  ['ResponseField', responseField],
  ['RequestExample', example],
  ['ResponseExample', example],
  ['Panel', panel],
  ['Update', update],
  ['Badge', badge],
  ['View', view],
  ['Visibility', visibility],
  ['Variation', variation],
  ['Tree', tree],
  ['FileTree', tree],
  ['Tree.Folder', treeEntry],
  ['Tree.File', treeEntry],
  ['FileTree.Folder', treeEntry],
  ['FileTree.File', treeEntry],
  ['Folder', treeEntry],
  ['File', treeEntry],
  ['Color', color],
  ['Color.Row', colorRow],
  ['Color.Item', colorItem],
  ['Prompt', prompt],
  ['Heading', heading],
  ['GitHub.Repo', githubRepo],
  ...unofficialComponents,
]);
