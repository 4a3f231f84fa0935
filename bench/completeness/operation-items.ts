import { parse } from 'yaml';
import type { ApiTarget } from '../../packages/compiler/src/descriptions/api-documents.ts';
import type { SourceItem } from './source-items.ts';

type Tree = Record<string, unknown>;

/**
 * Levels of a schema that every page must show; for deeper ones a page may state that there is
 * more.
 */
const MAX_LEVEL = 3;
/** Of what an error carries. */
const MAX_ERROR_LEVEL = 2;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/**
 * Returns what the page of an operation must show: method, path, and each parameter, field and enum
 * value, also of its callbacks. Reads OpenAPI 3 descriptions in a single file, with its own code.
 */
export function operationItems(
  target: ApiTarget,
  file: string,
  readText: (path: string) => string | undefined,
): SourceItem[] {
  if (target.kind !== 'operation') return [];
  const root = readRoot(target.description, readText);
  if (!root || typeof root.openapi !== 'string') return [];
  const words = new Set<string>(target.method === 'WEBHOOK' ? [] : [target.method, target.route]);
  const walk = new Walk(root, words);
  const item = walk.follow(
    (target.method === 'WEBHOOK' ? (root.webhooks as Tree) : (root.paths as Tree))?.[target.route],
  ) as Tree;
  const keys = target.method === 'WEBHOOK' ? METHODS : [target.method.toLowerCase()];
  const operation = keys
    .map((key) => item?.[key] as Tree | undefined)
    .find((one) => one !== undefined);
  if (!operation) return [];
  for (const parameter of [...list(item.parameters), ...list(operation.parameters)])
    walk.parameter(parameter);
  walk.contents(walk.follow(operation.requestBody), 'readOnly');
  const statuses = Object.entries((operation.responses ?? {}) as Tree);
  for (const [status, response] of statuses) {
    const isError = statuses.length > 1 && !/^[1-3]/.test(status);
    walk.contents(
      walk.follow(response),
      'writeOnly',
      isError ? MAX_LEVEL - MAX_ERROR_LEVEL + 1 : 1,
    );
  }
  for (const callback of Object.values((operation.callbacks ?? {}) as Tree))
    for (const called of Object.values(walk.follow(callback) ?? {}))
      for (const key of METHODS)
        walk.contents(
          walk.follow((walk.follow(called)?.[key] as Tree | undefined)?.requestBody),
          'writeOnly',
        );
  return [...words].map((word) => ({ kind: 'operation', pieces: [word], file, line: 1 }));
}

let last: { text: string | undefined; root: Tree | undefined } | undefined;

/** Consecutive pages usually have the same description. */
function readRoot(
  description: string,
  readText: (path: string) => string | undefined,
): Tree | undefined {
  const text = readText(description);
  if (last && last.text === text) return last.root;
  const root =
    text === undefined
      ? undefined
      : /^\s*\{/.test(text)
        ? JSON.parse(text)
        : parse(text, { maxAliasCount: -1 });
  last = { text, root: root as Tree | undefined };
  return last.root;
}

class Walk {
  readonly #root: Tree;
  readonly #words: Set<string>;

  constructor(root: Tree, words: Set<string>) {
    this.#root = root;
    this.#words = words;
  }

  follow(value: unknown): Tree | undefined {
    let at = value as Tree | undefined;
    for (let hop = 0; hop < 10 && typeof at?.$ref === 'string'; hop++) {
      const parts = at.$ref
        .slice(2)
        .split('/')
        .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
      at = parts.reduce<unknown>(
        (inner, part) => (inner as Tree | undefined)?.[part],
        this.#root,
      ) as Tree | undefined;
    }
    return at;
  }

  parameter(value: unknown): void {
    const parameter = this.follow(value);
    if (!parameter) return;
    if (typeof parameter.name === 'string') this.#words.add(parameter.name);
    this.schema(parameter.schema, 1, 'readOnly', []);
  }

  contents(holder: Tree | undefined, hidden: 'readOnly' | 'writeOnly', level = 1): void {
    for (const media of Object.values((holder?.content ?? {}) as Tree))
      this.schema((media as Tree)?.schema, level, hidden, []);
  }

  schema(
    value: unknown,
    level: number,
    hidden: 'readOnly' | 'writeOnly',
    around: readonly unknown[],
  ): void {
    const schema = this.follow(value);
    if (!schema || level > MAX_LEVEL || around.includes(schema)) return;
    const inside = [...around, schema];
    for (const one of list(schema.enum))
      if (typeof one === 'string') this.#words.add(one.slice(0, 120));
    for (const [name, property] of Object.entries((schema.properties ?? {}) as Tree)) {
      if (this.follow(property)?.[hidden] === true) continue;
      this.#words.add(name);
      this.schema(property, level + 1, hidden, inside);
    }
    for (const part of [...list(schema.allOf), ...list(schema.oneOf), ...list(schema.anyOf)])
      this.schema(part, level, hidden, inside);
    this.schema(schema.items, level, hidden, inside);
  }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
