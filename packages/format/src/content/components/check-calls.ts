import type { Diagnostic } from '../../diagnostics.ts';
import { didYouMean, nearestName } from '../../nearest-name.ts';
import { type ComponentNode, type ContentNode, NodesValue } from '../nodes/content-node.ts';
import { SLOT_TAG } from '../nodes/island.ts';
import { COLOR_NAMES } from './css-colors.ts';
import { type Component, givenProp, isUsable, type PropSchema } from './define-component.ts';

/** Props of every React and HTML element: they may have no effect, but are not mistakes. */
const COMMON_PROP =
  /^(?:class(?:Name)?|style|id|key|ref|children|role|tabIndex|lang|dir|hidden|slot|as)$|^(?:data|aria)[-A-Z]|^on[A-Z]/;
const MAX_SHOWN = 60;
/** Around content that a component of the author shows later: only that component knows in what. */
const UNKNOWN = Symbol('unknown');
type Around = ComponentNode | typeof UNKNOWN | undefined;

type Report = (diagnostic: Diagnostic) => void;

/**
 * Reports component calls that do not work as intended: an unknown prop, an invalid prop value, a
 * component outside its required parent.
 * @param file the page, for calls without a known position
 */
export function checkCalls(
  nodes: readonly ContentNode[],
  components: ReadonlyMap<string, Component>,
  file: string,
  report: Report,
): void {
  const walk = (children: readonly ContentNode[], around: Around): void => {
    for (const node of children) {
      if (node.type === 'element')
        walk(
          node.children,
          node.tag === SLOT_TAG && node.attributes.hidden === true ? UNKNOWN : around,
        );
      if (node.type !== 'component') continue;
      const component = components.get(node.name);
      const place = { file: node.file ?? file, line: node.line, column: node.column };
      if (component)
        checkCall(node, component, around, (problem) =>
          report({ severity: 'warning', ...place, ...problem }),
        );
      for (const value of Object.values(node.props))
        if (value instanceof NodesValue) walk(value.nodes, undefined);
      walk(node.children, node);
    }
  };
  walk(nodes, undefined);
}

function checkCall(
  node: ComponentNode,
  { props, parents = [] }: Component,
  around: Around,
  report: (problem: Pick<Diagnostic, 'code' | 'message' | 'remedy'>) => void,
): void {
  const { name } = node;
  const [parent] = parents;
  if (
    parent !== undefined &&
    around !== UNKNOWN &&
    !(around !== undefined && parents.includes(around.name))
  ) {
    const message = `<${name}> is outside <${parent}>.`;
    report({ code: 'misplaced-component', message, remedy: `Put it directly inside <${parent}>.` });
  }
  const propNames = new Set(
    Object.entries(props).flatMap(([prop, { aliases = [] }]) => [prop, ...aliases]),
  );
  for (const [prop, value] of Object.entries(node.props)) {
    if (value === undefined || propNames.has(prop) || COMMON_PROP.test(prop)) continue;
    const meant = nearestName(prop, propNames);
    const message = `<${name}> has no prop "${prop.slice(0, MAX_SHOWN)}".`;
    report({
      code: 'unknown-prop',
      message,
      remedy: didYouMean(meant, 'Remove it: it has no effect.'),
    });
  }
  for (const [prop, schema] of Object.entries(props)) {
    const value = givenProp(node, prop, schema);
    if (value === undefined && isMissing(schema, around)) {
      report({
        code: 'missing-prop',
        message: `<${name}> has no ${prop}.`,
        remedy: `Add ${prop}="…".`,
      });
    }
    if (isUsable(value, schema)) continue;
    const valueText =
      typeof value === 'string' || typeof value === 'number'
        ? ` "${String(value).slice(0, MAX_SHOWN)}"`
        : ' this value';
    report({
      code: 'unknown-value',
      message: `<${name}> cannot use${valueText} as its "${prop}".`,
      remedy: remedyFor(schema, value),
    });
  }
}

function isMissing({ required }: PropSchema, around: Around): boolean {
  if (required !== 'items') return required === true;
  return around !== UNKNOWN && around?.props.items === undefined;
}

const EXPECTED: Readonly<Partial<Record<PropSchema['type'], string>>> = {
  number: 'Give it a number.',
  color: 'Give it a CSS color, for example #0f766e.',
  icon: 'Give it the name of an icon, the URL of an image, or JSX.',
  list: 'Give it an array of strings.',
};

function remedyFor({ type, values }: PropSchema, value: unknown): string {
  const names = type === 'color' ? [...(values ?? []), ...COLOR_NAMES] : values;
  const meant = typeof value === 'string' ? nearestName(value, names ?? []) : undefined;
  const expected =
    values === undefined || type === 'color'
      ? EXPECTED[type]
      : `Give it one of: ${values.join(', ')}.`;
  return didYouMean(meant, expected ?? 'Give it a string.');
}
