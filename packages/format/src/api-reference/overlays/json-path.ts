import parse, { type JsonPathQuery } from 'jsonpath-rfc9535/parser';
import { isObject } from '../../json-value.ts';

/** A value that a query selects, and where it is; the root has no parent. */
export interface PathMatch {
  value: unknown;
  parent: object | undefined;
  key: string | number;
}

type Of<Union, Type> = Extract<Union, { type: Type }>;
type Segment = JsonPathQuery['segments'][number];
type Selector = Of<Segment['node'], 'BracketedSelection'>['selectors'][number] | Segment['node'];
type Test = Of<Selector, 'FilterSelector'>['value'];
type Comparable = Of<Test, 'ComparisonExpr'>['left'];
/** A query, also one that starts at the current value of a filter (`@`). */
type Query =
  | Of<Of<Test, 'TestExpr'>['expression'], 'FilterQuery'>['value']
  | Exclude<Comparable, Of<Comparable, 'Literal' | 'FunctionExpr'>>;

const MAX_LENGTH = 2000;
/** Texts in quotes, and names with a hyphen after a dot. */
const HYPHENATED = /'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|\.([A-Za-z_]\w*-[\w-]*)/gs;

/**
 * Parses a JSONPath query (RFC 9535). Names with a hyphen may follow a dot, as many tools allow.
 * @throws Error that says what is wrong
 */
export function parsePath(text: string): JsonPathQuery {
  if (text.length > MAX_LENGTH) throw new Error(`a JSONPath has at most ${MAX_LENGTH} characters`);
  const query = text.trim();
  if (!query.startsWith('$')) throw new Error('a JSONPath begins with "$"');
  try {
    return parse(
      query.replace(HYPHENATED, (match, name?: string) =>
        name === undefined ? match : `['${name}']`,
      ),
    );
  } catch (error) {
    if (error instanceof RangeError)
      throw new Error('the JSONPath is nested too deeply', { cause: error });
    throw new Error(
      `the JSONPath cannot be read: ${query.slice(0, 120)}. ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/**
 * Finds what queries select. Unlike that of the parser's library, this search has a limit of steps,
 * which all its queries share, and none of the functions: descriptions are untrusted, and a query
 * can take quadratic time, a regular expression unlimited time.
 */
export class PathSearch {
  readonly #root: unknown;
  #stepsLeft: number;
  constructor(root: unknown, steps: number) {
    this.#root = root;
    this.#stepsLeft = steps;
  }

  /**
   * Returns what a query selects, each place once. @throws Error if that takes too many steps, or
   * for a function
   */
  find(query: JsonPathQuery): PathMatch[] {
    const seen = new Map<object | undefined, Set<string | number>>();
    return this.#select(query, undefined).filter(({ parent, key }) => {
      const keys = seen.get(parent) ?? new Set();
      seen.set(parent, keys);
      return !keys.has(key) && keys.add(key);
    });
  }

  #select({ type, segments }: Query, current: unknown): PathMatch[] {
    let matches: PathMatch[] = [
      { value: type.startsWith('Rel') ? current : this.#root, parent: undefined, key: '' },
    ];
    for (const { type: kind, node } of segments) {
      const from =
        kind === 'DescendantSegment'
          ? matches.flatMap((match) => this.#descendants(match))
          : matches;
      const selectors = node.type === 'BracketedSelection' ? node.selectors : [node];
      matches = from.flatMap(({ value }) =>
        selectors.flatMap((selector) => this.#children(value, selector)),
      );
    }
    return matches;
  }

  /**
   * A value and everything inside it, in the order of the document. Iterative, because documents
   * nest deeply.
   */
  #descendants(start: PathMatch): PathMatch[] {
    const all: PathMatch[] = [];
    const open = [start];
    for (let match = open.pop(); match; match = open.pop()) {
      all.push(match);
      open.push(...this.#children(match.value, { type: 'WildcardSelector' }).reverse());
    }
    return all;
  }

  #children(value: unknown, selector: Selector): PathMatch[] {
    if (typeof value !== 'object' || value === null) return [];
    this.#spend(1);
    const at = (key: string | number): PathMatch => ({
      value: (value as Record<string, unknown>)[key],
      parent: value,
      key,
    });
    switch (selector.type) {
      case 'NameSelector':
      case 'MemberNameShorthand':
        return isObject(value) && Object.hasOwn(value, selector.value) ? [at(selector.value)] : [];
      case 'IndexSelector': {
        // In a comparison, the parser wraps the index once more than its types say.
        const { value: signedIndex } =
          (selector as { selector?: { value: number } }).selector ?? selector;
        const index =
          Array.isArray(value) && signedIndex < 0 ? signedIndex + value.length : signedIndex;
        return Array.isArray(value) && index >= 0 && index < value.length ? [at(index)] : [];
      }
      case 'SliceSelector':
        return Array.isArray(value) ? sliceOf(value.length, selector).map(at) : [];
      case 'BracketedSelection':
        return selector.selectors.flatMap((innerSelector) => this.#children(value, innerSelector));
      default: {
        const keys: (string | number)[] = Array.isArray(value)
          ? [...value.keys()]
          : Object.keys(value);
        this.#spend(keys.length);
        const all = keys.map(at);
        return selector.type === 'WildcardSelector'
          ? all
          : all.filter((match) => this.#passes(selector.value, match.value));
      }
    }
  }

  #passes(test: Test, current: unknown): boolean {
    this.#spend(1);
    switch (test.type) {
      case 'LogicalAndExpr':
        return this.#passes(test.left, current) && this.#passes(test.right, current);
      case 'LogicalOrExpr':
        return this.#passes(test.left, current) || this.#passes(test.right, current);
      case 'LogicalNotExpr':
        return !this.#passes(test.expression, current);
      case 'TestExpr':
        if (test.expression.type === 'FunctionExpr') return refuseFunction(test.expression);
        return this.#select(test.expression.value, current).length > 0;
      case 'ComparisonExpr':
        return this.#compare(
          test.op,
          this.#valueOf(test.left, current),
          this.#valueOf(test.right, current),
        );
    }
  }

  /** Undefined for nothing, which JSON does not have. */
  #valueOf(operand: Comparable, current: unknown): unknown {
    if (operand.type === 'Literal') return operand.value;
    return operand.type === 'FunctionExpr'
      ? refuseFunction(operand)
      : this.#select(operand, current)[0]?.value;
  }

  #compare(operator: string, left: unknown, right: unknown): boolean {
    if (operator === '==' || operator === '!=')
      return this.#isSame(left, right) === (operator === '==');
    if (operator.endsWith('=') && this.#isSame(left, right)) return true;
    if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string'))
      return false;
    return operator.startsWith('<') ? left < (right as typeof left) : left > (right as typeof left);
  }

  #isSame(left: unknown, right: unknown): boolean {
    if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null)
      return left === right;
    const [one, other] = [JSON.stringify(sorted(left)), JSON.stringify(sorted(right))];
    this.#spend(one.length + other.length);
    return one === other;
  }

  #spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new Error('its JSONPath expressions search too much');
  }
}

function refuseFunction({ name }: { name: string }): never {
  throw new Error(`the function "${name}" of a JSONPath is not supported`);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted(value[key])]);
}

/** RFC 9535 §2.3.4.2.2 */
function sliceOf(length: number, slice: Of<Selector, 'SliceSelector'>): number[] {
  const step = slice.step ?? 1;
  const within = (index: number, from: number, to: number) =>
    Math.min(Math.max(index < 0 ? index + length : index, from), to);
  const indexes: number[] = [];
  if (step > 0) {
    const last = within(slice.end ?? length, 0, length);
    for (let index = within(slice.start ?? 0, 0, length); index < last; index += step)
      indexes.push(index);
  } else if (step < 0) {
    const last = slice.end === null ? -1 : within(slice.end, -1, length - 1);
    for (let index = within(slice.start ?? length - 1, -1, length - 1); index > last; index += step)
      indexes.push(index);
  }
  return indexes;
}
