import { expect, it } from 'vitest';
import type { ContentNode } from '../nodes/content-node.ts';
import { withNamedCheckbox } from './render-html.ts';

const box = (more: Record<string, string | boolean> = {}): ContentNode => ({
  type: 'element',
  tag: 'input',
  attributes: { type: 'checkbox', disabled: true, ...more },
  children: [],
});
const text = (value: string): ContentNode => ({ type: 'text', value });

it('a task checkbox is named by the text of its item, in a loose list too', () => {
  const named = { attributes: { 'aria-label': 'Write the guide' } };
  expect(withNamedCheckbox([box(), text(' Write the  guide')])[0]).toMatchObject(named);
  const paragraph: ContentNode = {
    type: 'element',
    tag: 'p',
    attributes: {},
    children: [box(), text(' Write the guide')],
  };
  expect(withNamedCheckbox([paragraph])[0]).toMatchObject({ children: [named, {}] });
  expect(withNamedCheckbox([text('\n'), paragraph])[1]).toMatchObject({ children: [named, {}] });
});

it('text without a checkbox and a checkbox with its own name are unchanged', () => {
  const plain = [text('No task')];
  const own = [box({ 'aria-label': 'Mine' }), text('x')];
  expect([withNamedCheckbox(plain), withNamedCheckbox(own)]).toEqual([plain, own]);
});
