import { expect, it } from 'vitest';
import type { ContentNode } from '../expand/content-node.ts';
import { withNamedCheckbox } from './task-list.ts';

const box = (more: Record<string, string | boolean> = {}): ContentNode => ({
  type: 'element',
  tag: 'input',
  attributes: { type: 'checkbox', disabled: true, ...more },
  children: [],
});
const text = (value: string): ContentNode => ({ type: 'text', value });

it('names the box of a task by what its item says, in a spaced list too', () => {
  const named = { attributes: { 'aria-label': 'Write the guide' } };
  expect(withNamedCheckbox([box(), text(' Write the  guide')])[0]).toMatchObject(named);
  const paragraph: ContentNode = { type: 'element', tag: 'p', attributes: {}, children: [box(), text(' Write the guide')] };
  expect(withNamedCheckbox([paragraph])[0]).toMatchObject({ children: [named, {}] });
  expect(withNamedCheckbox([text('\n'), paragraph])[1]).toMatchObject({ children: [named, {}] });
});

it('leaves alone what is no task, and what its author named', () => {
  const plain = [text('No task')];
  const own = [box({ 'aria-label': 'Mine' }), text('x')];
  expect([withNamedCheckbox(plain), withNamedCheckbox(own)]).toEqual([plain, own]);
});
