import {
  type Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  type Node,
  parseDocument,
  type YAMLError,
} from 'yaml';

/** Nothing that people write nests deeper. */
const MAX_DEPTH = 200;

export interface YamlOptions {
  /** Aliases can expand a small text to a huge tree, so only so many are resolved. */
  maxAliases: number;
  /**
   * Reports what the specification forbids but every reader understands, such as a wrong
   * indentation in a flow.
   */
  isStrict?: boolean;
}

export interface YamlDocument {
  value: unknown;
  /**
   * Keys and values of the mapping at the top, repeated keys included; empty if the top is
   * something else.
   */
  entries: [key: string, value: unknown][];
}

/** The text is not YAML, or not of the part that is read. */
export class YamlFault extends Error {
  /** 1-based, in the text. */
  readonly line: number;
  readonly column: number;
  constructor(message: string, text: string, offset: number) {
    super(message);
    this.name = 'YamlFault';
    const before = text.slice(0, offset);
    this.line = before.split('\n').length;
    this.column = before.length - before.lastIndexOf('\n');
  }
}

/**
 * Parses YAML 1.2: the only place that does. Repeated keys are common in hand-written files and
 * harmless; the last one counts. A list or a mapping as a key is refused: the library writes such a
 * key as text, each level of it again, which takes a minute for 6 KB.
 * @throws YamlFault with a reason that continues a sentence, without a period, and its place
 */
export function parseYaml(
  text: string,
  { maxAliases, isStrict = true }: YamlOptions,
): YamlDocument {
  // Checking for repeated keys is quadratic, and so are pretty messages.
  const settings = {
    uniqueKeys: false,
    strict: isStrict,
    merge: true,
    logLevel: 'silent',
    prettyErrors: false,
  } as const;
  const document = inStack(text, () => parseDocument(text, settings));
  const [error] = document.errors;
  if (error) throw faultOf(error, text);
  refuseCostly(document, text);
  const value = inStack(text, () => toValue(document, maxAliases, text));
  const { contents } = document;
  const items = isMap(contents) ? contents.items : [];
  return {
    value,
    entries: items.map((pair) => [
      String(pair.key),
      isScalar(pair.value) ? pair.value.value : pair.value,
    ]),
  };
}

function faultOf({ message, pos }: YAMLError, text: string): YamlFault {
  if (/call stack/.test(message)) return tooDeep(text, pos[0]);
  const [first = ''] = message.split('\n');
  return new YamlFault(first.replace(/\.$/, '').slice(0, 200), text, pos[0]);
}

function tooDeep(text: string, offset: number): YamlFault {
  return new YamlFault(`it is nested more than ${MAX_DEPTH} levels deep`, text, offset);
}

/** The library is recursive; its stack may end before our limit is checked. */
function inStack<Result>(text: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(text, 0);
    throw error;
  }
}

function toValue(document: Document, maxAliases: number, text: string): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases });
  } catch (error) {
    // It throws a `ReferenceError` for too many aliases, and for one without an anchor.
    if (error instanceof ReferenceError)
      throw new YamlFault(error.message.replace(/\.$/, ''), text, 0);
    throw error;
  }
}

/** @throws YamlFault for a collection as a key, and for a tree that is too deep */
function refuseCostly({ contents }: Document, text: string): void {
  const open: [node: unknown, depth: number][] = [[contents, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, depth] = next;
    if (!isCollection(node)) continue;
    if (depth >= MAX_DEPTH) throw tooDeep(text, offsetOf(node));
    for (const item of node.items) {
      if (isPair(item) && isCollection(item.key)) {
        throw new YamlFault('a list or a mapping cannot be a key', text, offsetOf(item.key));
      }
      open.push([isPair(item) ? item.value : item, depth + 1]);
    }
  }
}

function offsetOf({ range }: Node): number {
  return range?.[0] ?? 0;
}
