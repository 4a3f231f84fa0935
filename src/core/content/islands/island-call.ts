import type { ElementNode, PropValue } from '../expand/content-node.ts';
import type { ExpandState, TagCall } from '../expand/expand-state.ts';
import { holdsCode, type Place, toProp } from '../expressions/value.ts';

/** Returns whether an attribute is an event handler. */
export function isHandler(attribute: string): boolean {
  return /^on[A-Z]/.test(attribute);
}

/** Returns whether the call means the same outside its expression. */
export function canBeIsland({ name, props, scope, live }: TagCall, { budget }: ExpandState): boolean {
  const holder = scope.find(name.split('.', 1)[0] as string);
  if (holder?.isLocal) return false;
  for (const [key, value] of props) {
    if (!live?.has(key) && holdsCode(value, (steps) => budget.spend(steps))) return false;
  }
  return true;
}

/** The placeholder of a call that the sandbox and the browser make. */
export function islandNode({ name, props, children, place, live }: TagCall, state: ExpandState): ElementNode {
  const plain: Record<string, PropValue> = Object.create(null);
  for (const [key, value] of props) {
    if (key === 'ref' || key === '__proto__' || live?.has(key)) continue;
    plain[key] = toProp(value, (steps) => state.budget.spend(steps));
  }
  let attributes = '{...props}';
  for (const [key, { source }] of live ?? []) attributes += ` ${key}={${source}\n}`;
  const code = `(props) => <${name} ${attributes}/>`;
  return addIsland(state, name, code, plain, children, place);
}

/** The component of a call and its props that are code, for code of the same file; undefined if they mean something else there. */
export function typeOf(call: TagCall, state: ExpandState): { code: string; file: string } | undefined {
  if (!canBeIsland(call, state)) return undefined;
  const live = [...(call.live ?? [])].map(([key, { source }]) => `${JSON.stringify(key)}:(${source}\n)`);
  return { code: `[${call.name},{${live.join()}}]`, file: call.place.file ?? '' };
}

/** The placeholder of an expression that the sandbox and the browser compute. */
export function islandExpression(source: string, place: Place, state: ExpandState): ElementNode {
  return addIsland(state, '', `() => <>{${source}\n}</>`, {}, [], place);
}

function addIsland(
  state: ExpandState,
  name: string,
  code: string,
  props: Record<string, PropValue>,
  children: Parameters<NonNullable<ExpandState['islands']>['add']>[4],
  place: Place,
): ElementNode {
  if (!state.islands) throw new Error('islands were requested, but nothing can run them');
  return state.islands.add(name, code, place.file ?? '', props, children, place);
}
