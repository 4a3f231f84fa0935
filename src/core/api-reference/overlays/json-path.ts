import { isObject } from '../json-value.ts';

/** A value that a query selects, and where it is; the root has no parent. */
export interface PathMatch {
  value: unknown;
  parent: object | undefined;
  key: string | number;
}

/** A parsed JSONPath query (RFC 9535, without its functions). */
export interface PathQuery {
  /** Whether it starts at the current value of a filter (`@`) and not at the root. */
  isRelative: boolean;
  segments: Segment[];
}

interface Segment {
  isDeep: boolean;
  selectors: Selector[];
}

type Selector =
  | { kind: 'name'; name: string }
  | { kind: 'all' }
  | { kind: 'index'; index: number }
  | { kind: 'slice'; start: number | undefined; end: number | undefined; step: number }
  | { kind: 'filter'; test: Test };

type Test =
  | { kind: 'and' | 'or'; tests: Test[] }
  | { kind: 'not'; test: Test }
  | { kind: 'exists'; query: PathQuery }
  | { kind: 'compare'; operator: string; left: Operand; right: Operand };

type Operand = { literal: unknown } | { query: PathQuery };

const MAX_LENGTH = 2000;
/** Parentheses and negations of a filter in each other. */
const MAX_DEPTH = 50;
const NAME = /[\p{L}\p{M}\p{N}_\-\u{80}-\u{10ffff}]+/uy;
const INTEGER = /-?(?:0|[1-9]\d{0,8})(?!\d)/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const OPERATOR = /==|!=|<=|>=|<|>/y;
const WORD = /[a-z_]\w*/y;
const BLANK = /[ \t\n\r]*/y;

/** Parses a query. @throws Error that says what is wrong */
export function parsePath(text: string): PathQuery {
  if (text.length > MAX_LENGTH) throw new Error(`a JSONPath has at most ${MAX_LENGTH} characters`);
  const parser = new Parser(text.trim());
  const query = parser.query();
  if (query === undefined || query.isRelative) throw new Error('a JSONPath begins with "$"');
  parser.end();
  return query;
}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    if (this.#at < this.#text.length) this.#fail();
  }

  query(): PathQuery | undefined {
    if (!'$@'.includes(this.#text[this.#at] ?? ' ')) return undefined;
    const isRelative = this.#text[this.#at++] === '@';
    const segments: Segment[] = [];
    for (;;) {
      const before = this.#at;
      this.#skip();
      const isDeep = this.#take('..');
      if (this.#take('[')) segments.push({ isDeep, selectors: this.#selectors() });
      else if (isDeep || this.#take('.')) segments.push({ isDeep, selectors: [this.#member()] });
      else {
        this.#at = before;
        return { isRelative, segments };
      }
    }
  }

  #member(): Selector {
    if (this.#take('*')) return { kind: 'all' };
    return { kind: 'name', name: this.#match(NAME) ?? this.#fail() };
  }

  #selectors(): Selector[] {
    const selectors: Selector[] = [];
    do {
      this.#skip();
      selectors.push(this.#selector());
      this.#skip();
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail();
    return selectors;
  }

  #selector(): Selector {
    if (this.#take('*')) return { kind: 'all' };
    if (this.#take('?')) {
      this.#skip();
      return { kind: 'filter', test: this.#or() };
    }
    const name = this.#string();
    if (name !== undefined) return { kind: 'name', name };
    const start = this.#integer();
    this.#skip();
    if (!this.#take(':')) return start === undefined ? this.#fail() : { kind: 'index', index: start };
    this.#skip();
    const end = this.#integer();
    this.#skip();
    if (!this.#take(':')) return { kind: 'slice', start, end, step: 1 };
    this.#skip();
    return { kind: 'slice', start, end, step: this.#integer() ?? 1 };
  }

  #or(): Test {
    return this.#joined('or', '||', () => this.#joined('and', '&&', () => this.#basic()));
  }

  #joined(kind: 'and' | 'or', sign: string, read: () => Test): Test {
    const tests = [read()];
    for (this.#skip(); this.#take(sign); this.#skip()) {
      this.#skip();
      tests.push(read());
    }
    return tests.length === 1 ? (tests[0] as Test) : { kind, tests };
  }

  #basic(): Test {
    if (++this.#depth > MAX_DEPTH) throw new Error('a filter is nested too deeply');
    const test = this.#negated() ?? this.#grouped() ?? this.#comparison();
    this.#depth--;
    return test;
  }

  #negated(): Test | undefined {
    if (!this.#take('!')) return undefined;
    this.#skip();
    return { kind: 'not', test: this.#basic() };
  }

  #grouped(): Test | undefined {
    if (!this.#take('(')) return undefined;
    this.#skip();
    const test = this.#or();
    this.#skip();
    return this.#take(')') ? test : this.#fail();
  }

  #comparison(): Test {
    const left = this.#operand();
    this.#skip();
    const operator = this.#match(OPERATOR);
    if (operator === undefined) return 'query' in left ? { kind: 'exists', query: left.query } : this.#fail();
    this.#skip();
    return { kind: 'compare', operator, left, right: this.#operand() };
  }

  #operand(): Operand {
    const query = this.query();
    if (query) return { query };
    const literal = this.#string() ?? this.#match(NUMBER);
    if (literal !== undefined) return { literal: this.#wasString ? literal : Number(literal) };
    const word = this.#match(WORD);
    if (word === 'true' || word === 'false') return { literal: word === 'true' };
    if (word === 'null') return { literal: null };
    if (word !== undefined) throw new Error(`the function "${word}" is not supported`);
    return this.#fail();
  }

  #wasString = false;

  #string(): string | undefined {
    const quote = this.#text[this.#at];
    this.#wasString = quote === '"' || quote === "'";
    if (!this.#wasString) return undefined;
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== quote) end += this.#text[end] === '\\' ? 2 : 1;
    const inner = this.#text.slice(this.#at + 1, end);
    if (end >= this.#text.length) this.#fail();
    this.#at = end + 1;
    const json = quote === '"' ? inner : inner.replace(/\\'|"/g, (found) => (found === '"' ? '\\"' : "'"));
    try {
      return JSON.parse(`"${json}"`) as string;
    } catch {
      return this.#fail();
    }
  }

  #integer(): number | undefined {
    const found = this.#match(INTEGER);
    return found === undefined ? undefined : Number(found);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #skip(): void {
    this.#match(BLANK);
  }

  #take(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  #fail(): never {
    throw new Error(`the JSONPath cannot be read from its character ${this.#at + 1}: ${this.#text.slice(0, 120)}`);
  }
}

/** Finds what queries select. All queries of one search share its limit of steps. */
export class PathSearch {
  readonly #root: unknown;
  #stepsLeft: number;
  constructor(root: unknown, steps: number) {
    this.#root = root;
    this.#stepsLeft = steps;
  }

  /** Returns what a query selects, each place once. @throws Error if that takes too many steps */
  find(query: PathQuery): PathMatch[] {
    const seen = new Map<object | undefined, Set<string | number>>();
    return this.#select(query, undefined).filter(({ parent, key }) => {
      const keys = seen.get(parent) ?? new Set();
      seen.set(parent, keys);
      return !keys.has(key) && keys.add(key);
    });
  }

  #select(query: PathQuery, current: unknown): PathMatch[] {
    let matches: PathMatch[] = [{ value: query.isRelative ? current : this.#root, parent: undefined, key: '' }];
    for (const { isDeep, selectors } of query.segments) {
      const from = isDeep ? matches.flatMap((match) => this.#descendants(match)) : matches;
      matches = from.flatMap(({ value }) => selectors.flatMap((selector) => this.#children(value, selector)));
    }
    return matches;
  }

  /** A value and everything inside it, in the order of the document. Iterative, because documents nest deeply. */
  #descendants(start: PathMatch): PathMatch[] {
    const all: PathMatch[] = [];
    const open = [start];
    for (let match = open.pop(); match; match = open.pop()) {
      all.push(match);
      open.push(...this.#children(match.value, { kind: 'all' }).reverse());
    }
    return all;
  }

  #children(value: unknown, selector: Selector): PathMatch[] {
    if (typeof value !== 'object' || value === null) return [];
    this.#spend(1);
    const at = (key: string | number): PathMatch => ({ value: (value as Record<string, unknown>)[key], parent: value, key });
    switch (selector.kind) {
      case 'name':
        return isObject(value) && Object.hasOwn(value, selector.name) ? [at(selector.name)] : [];
      case 'index': {
        const index = Array.isArray(value) && selector.index < 0 ? selector.index + value.length : selector.index;
        return Array.isArray(value) && index >= 0 && index < value.length ? [at(index)] : [];
      }
      case 'slice':
        return Array.isArray(value) ? sliceOf(value.length, selector).map(at) : [];
      default: {
        const keys: (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
        this.#spend(keys.length);
        const all = keys.map(at);
        return selector.kind === 'all' ? all : all.filter((match) => this.#passes(selector.test, match.value));
      }
    }
  }

  #passes(test: Test, current: unknown): boolean {
    this.#spend(1);
    switch (test.kind) {
      case 'and':
        return test.tests.every((one) => this.#passes(one, current));
      case 'or':
        return test.tests.some((one) => this.#passes(one, current));
      case 'not':
        return !this.#passes(test.test, current);
      case 'exists':
        return this.#select(test.query, current).length > 0;
      case 'compare':
        return this.#compare(test.operator, this.#valueOf(test.left, current), this.#valueOf(test.right, current));
    }
  }

  /** Undefined for nothing, which JSON does not have. */
  #valueOf(operand: Operand, current: unknown): unknown {
    return 'query' in operand ? this.#select(operand.query, current)[0]?.value : operand.literal;
  }

  #compare(operator: string, left: unknown, right: unknown): boolean {
    if (operator === '==' || operator === '!=') return this.#isSame(left, right) === (operator === '==');
    if (operator.endsWith('=') && this.#isSame(left, right)) return true;
    if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string')) return false;
    return operator.startsWith('<') ? left < (right as typeof left) : left > (right as typeof left);
  }

  #isSame(left: unknown, right: unknown): boolean {
    if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null) return left === right;
    const [one, other] = [JSON.stringify(sorted(left)), JSON.stringify(sorted(right))];
    this.#spend(one.length + other.length);
    return one === other;
  }

  #spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new Error('its JSONPath expressions search too much');
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted(value[key])]);
}

function sliceOf(length: number, { start, end, step }: Extract<Selector, { kind: 'slice' }>): number[] {
  const within = (index: number, from: number, to: number) => Math.min(Math.max(index < 0 ? index + length : index, from), to);
  const indexes: number[] = [];
  if (step > 0) {
    const last = within(end ?? length, 0, length);
    for (let index = within(start ?? 0, 0, length); index < last; index += step) indexes.push(index);
  } else if (step < 0) {
    const last = end === undefined ? -1 : within(end, -1, length - 1);
    for (let index = within(start ?? length - 1, -1, length - 1); index > last; index += step) indexes.push(index);
  }
  return indexes;
}
