import { expect, it } from 'vitest';
import { call, element, text } from '../../../../../test/support/fake-page.ts';
import type { Diagnostic } from '../../diagnostics.ts';
import { type ContentNode, NodesValue } from '../nodes/content-node.ts';
import { checkCalls } from './check-calls.ts';
import { components } from './registry.ts';

function warnings(...nodes: ContentNode[]): string[] {
  const found: Diagnostic[] = [];
  checkCalls(nodes, components, 'page.mdx', (diagnostic) => found.push(diagnostic));
  return found.map(({ code, message, remedy }) => `${code}: ${message} ${remedy}`);
}

it('a prop that a component does not have is reported with the most similar known prop', () => {
  expect(warnings(call('Card', { hef: '/a' }))).toEqual([
    'unknown-prop: <Card> has no prop "hef". Did you mean "href"?',
  ]);
  expect(warnings(call('Card', { sparkle: true }))).toEqual([
    'unknown-prop: <Card> has no prop "sparkle". Remove it: it has no effect.',
  ]);
});

it('props that every element accepts are not reported', () => {
  const common = {
    className: 'x',
    class: 'y',
    style: {},
    id: 'z',
    key: 1,
    'data-x': '',
    'aria-label': '',
    onClick: '',
    ariaLabel: '',
  };
  expect(warnings(call('Columns', common), call('Note', { left: undefined }))).toEqual([]);
});

it('a value that a prop does not accept is reported with the accepted values', () => {
  expect(warnings(call('Badge', { size: 'mdd' }))).toEqual([
    'unknown-value: <Badge> cannot use "mdd" as its "size". Did you mean "md"?',
  ]);
  expect(warnings(call('Badge', { shape: 'star' }))).toEqual([
    'unknown-value: <Badge> cannot use "star" as its "shape". Give it one of: rounded, pill.',
  ]);
  expect(warnings(call('Columns', { cols: 'many' }))).toEqual([
    'unknown-value: <Columns> cannot use "many" as its "cols". Give it a number.',
  ]);
  expect(warnings(call('Card', { title: { a: 1 } }))).toEqual([
    'unknown-value: <Card> cannot use this value as its "title". Give it a string.',
  ]);
});

it('values in another spelling, or omitted by a condition, are accepted', () => {
  const cards = [
    call(
      'Columns',
      { cols: '3' },
      call('Card', { color: 'rebeccapurple', icon: false, horizontal: 'false', img: null }),
    ),
  ];
  expect(
    warnings(
      ...cards,
      call('Visibility', { for: 'Humans' }),
      call('Prompt', { actions: '["copy"]' }),
    ),
  ).toEqual([]);
});

it('a component outside its required parent is reported at any depth', () => {
  const message = 'misplaced-component: <Step> is outside <Steps>. Put it directly inside <Steps>.';
  expect(warnings(call('Step', { title: 'a' }))).toEqual([message]);
  expect(warnings(call('Steps', {}, call('Frame', {}, call('Step'))))).toEqual([message]);
  expect(warnings(call('Card', { title: new NodesValue([call('Step')]) }))).toEqual([message]);
  expect(warnings(call('Steps', {}, text('\n'), element('div', call('Step'))))).toEqual([]);
  expect(
    warnings(call('Tabs', {}, call('TabItem', { title: 'A' }), call('Tabs.Tab', { title: 'B' }))),
  ).toEqual([]);
  expect(warnings(call('Files', {}, call('Folder', {}, call('Tree.File'))))).toEqual([]);
});

it('a component that another one shows later is not reported, because what will be around it is not known', () => {
  const slot: ContentNode = {
    type: 'element',
    tag: 'docent-slot',
    attributes: { hidden: true },
    children: [call('Step')],
  };
  expect(warnings(slot)).toEqual([]);
  expect(warnings({ ...slot, attributes: {} })).toHaveLength(1);
});
