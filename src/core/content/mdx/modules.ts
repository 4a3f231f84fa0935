import type { ExportAllDeclaration, Expression, ImportDeclaration, Program } from 'acorn';
import type { ExpandState } from '../expand/expand-state.ts';
import type { Interpreter } from '../expressions/interpreter.ts';
import { bindPattern } from '../expressions/statements.ts';
import { fromData, type HostComponent, Lazy, ObjectValue, Scope, Unusable, type Value } from '../expressions/value.ts';
import { type ModulePart, resolveImport, type SourceFile } from './source-file.ts';

interface Module {
  scope: Scope;
  bindings: Map<string, Value | Lazy>;
}

const ASSET = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|pdf)$/i;

/** Binds the imports and exports of a page's files, each file once. */
export class Modules {
  readonly #state: ExpandState;
  readonly #interpreter: Interpreter;
  readonly #snippetComponent: (name: string, source: SourceFile) => HostComponent;
  readonly #bound = new Map<SourceFile, Module>();
  /** What snippets see of their page. */
  readonly #shared = new Map<string, Value | Lazy>();
  readonly outer: Scope;

  /** @param snippetComponent returns the component of an MDX file */
  constructor(
    state: ExpandState,
    interpreter: Interpreter,
    snippetComponent: (name: string, source: SourceFile) => HostComponent,
  ) {
    this.#state = state;
    this.#interpreter = interpreter;
    this.#snippetComponent = snippetComponent;
    this.outer = new Scope(state.globals, this.#shared);
  }

  /**
   * The names that the page imports and defines. Its snippets see them too: authors rely on one scope, as if snippets were pasted
   * into the page. A name of ours means the same in every file.
   */
  pageBindings(page: SourceFile): Map<string, Value | Lazy> {
    const { bindings } = this.#module(page);
    for (const [name, value] of bindings) {
      if (name !== 'default' && !this.#state.isComponent(name) && !this.#state.globals.bindings.has(name)) {
        this.#shared.set(name, value);
      }
    }
    return bindings;
  }

  /** The names that a file imports and defines. */
  bindings(source: SourceFile): Map<string, Value | Lazy> {
    return this.#module(source).bindings;
  }

  #module(source: SourceFile): Module {
    const known = this.#bound.get(source);
    if (known) return known;
    const bindings = new Map<string, Value | Lazy>();
    const module = { scope: new Scope(this.outer, bindings), bindings };
    this.#bound.set(source, module);
    for (const found of source.problems) this.#state.report({ ...found, file: source.file });
    for (const part of source.modules) {
      if (part.program) this.#bindProgram(part.program, part, source, module);
      else bindBroken(part, source, module);
    }
    return module;
  }

  #bindProgram(program: Program, part: ModulePart, source: SourceFile, module: Module): void {
    for (const statement of program.body) {
      if (statement.type === 'ImportDeclaration') this.#bindImport(statement, part, source, module);
      else if (statement.type === 'ExportNamedDeclaration') {
        if (statement.declaration) this.#bindDeclaration(statement.declaration, module);
        else if (statement.source) this.#bindReexport(String(statement.source.value), statement.specifiers, part, source, module);
        else for (const { local, exported } of statement.specifiers) alias(nameOf(exported), nameOf(local), module);
      } else if (statement.type === 'ExportDefaultDeclaration') this.#bindDefault(statement.declaration, module);
      else if (statement.type === 'ExportAllDeclaration') this.#bindAll(statement, part, source, module);
      else this.#bindDeclaration(statement, module);
    }
  }

  #bindDeclaration(node: Program['body'][number], module: Module): void {
    const interpreter = this.#interpreter;
    if (node.type === 'FunctionDeclaration') {
      module.bindings.set(node.id.name, new Lazy(() => interpreter.closure(node, module.scope)));
    } else if (node.type === 'ClassDeclaration') {
      module.bindings.set(node.id.name, new Unusable(node.id.name, 'needs-browser'));
    } else if (node.type === 'VariableDeclaration') {
      for (const { id, init } of node.declarations) {
        if (id.type === 'Identifier') module.bindings.set(id.name, this.#constant(init, module));
        else if (init) {
          // Only the names matter here; the members are extracted on first read.
          const parts = new Scope(module.scope);
          const all = new Lazy(() => void bindPattern(id, interpreter.evaluate(init, module.scope), parts, interpreter));
          const partOf = (name: string) => {
            all.read();
            return parts.own(name);
          };
          for (const name of patternNames(id)) module.bindings.set(name, new Lazy(() => partOf(name)));
        }
      }
    }
  }

  #constant(init: Expression | null | undefined, module: Module): Lazy {
    return new Lazy(() => (init ? this.#interpreter.evaluate(init, module.scope) : undefined));
  }

  #bindDefault(
    node: Extract<Program['body'][number], { type: 'ExportDefaultDeclaration' }>['declaration'],
    module: Module,
  ): void {
    if (node.type === 'ClassDeclaration') {
      module.bindings.set('default', new Unusable('default', 'needs-browser'));
    } else if (node.type === 'FunctionDeclaration') {
      const made = new Lazy(() => this.#interpreter.closure(node, module.scope));
      module.bindings.set('default', made);
      if (node.id) module.bindings.set(node.id.name, made);
    } else module.bindings.set('default', this.#constant(node, module));
  }

  #bindImport(node: ImportDeclaration, part: ModulePart, source: SourceFile, module: Module): void {
    const specifier = String(node.source.value);
    const line = part.line + lineWithin(part.source, node.start);
    for (const item of node.specifiers) {
      const wanted =
        item.type === 'ImportDefaultSpecifier'
          ? 'default'
          : item.type === 'ImportNamespaceSpecifier'
            ? '*'
            : nameOf(item.imported);
      const { name } = item.local;
      const value = this.#imported(specifier, wanted, name, line, source);
      if (value !== undefined) module.bindings.set(name, value);
    }
  }

  #bindReexport(
    specifier: string,
    items: readonly { local: NameNode; exported: NameNode }[],
    part: ModulePart,
    source: SourceFile,
    module: Module,
  ): void {
    for (const { local, exported } of items) {
      const value = this.#imported(specifier, nameOf(local), nameOf(exported), part.line, source);
      if (value !== undefined) module.bindings.set(nameOf(exported), value);
    }
  }

  #bindAll({ source: { value }, exported }: ExportAllDeclaration, part: ModulePart, source: SourceFile, module: Module): void {
    const specifier = String(value);
    if (exported) {
      const all = this.#imported(specifier, '*', nameOf(exported), part.line, source);
      if (all !== undefined) module.bindings.set(nameOf(exported), all);
      return;
    }
    const path = this.#resolve(specifier, source);
    const from = path === undefined ? undefined : this.#state.readSnippet(path);
    for (const name of from ? this.#module(from).bindings.keys() : []) {
      if (name === 'default' || module.bindings.has(name)) continue;
      const shared = this.#imported(specifier, name, name, part.line, source);
      if (shared !== undefined) module.bindings.set(name, shared);
    }
  }

  /**
   * Returns the value of an imported name, resolved on first read. A missing file is reported immediately. An import that leads
   * nowhere does not hide the built-in component of that name, which needs no import.
   */
  #imported(specifier: string, wanted: string, name: string, line: number, importer: SourceFile): Value | Lazy {
    // React's names need no import, and code that really uses them runs only in browsers.
    if (/^(?:react|preact)(?:\/|$)/.test(specifier)) return new Unusable(name, 'needs-browser');
    const path = this.#resolve(specifier, importer);
    if (path !== undefined && ASSET.test(path)) return `/${path}`;
    if (path !== undefined) return new Lazy(() => this.#fromFile(path, wanted, name, line, importer));
    const isFile = /^[./]|\.(?:mdx?|jsx?|tsx?)$/.test(specifier);
    const isOurs = this.#state.isComponent(name);
    const place = { file: importer.file, line };
    if (isFile) {
      const message = `The imported file "${specifier}" does not exist.`;
      this.#state.warn('missing-import', message, 'Correct the path, or add the file.', place);
    } else if (!isOurs) {
      const message = `"${specifier}" is a package; pages cannot import packages.`;
      this.#state.warn('npm-import', message, 'Import only files of the documentation.', place);
    }
    return isOurs ? undefined : new Unusable(name, isFile ? 'missing' : 'needs-browser');
  }

  #resolve(specifier: string, importer: SourceFile): string | undefined {
    return resolveImport(specifier, importer.file, (file) => this.#state.site.hasFile(file));
  }

  #fromFile(path: string, wanted: string, name: string, line: number, importer: SourceFile): Value {
    if (path.endsWith('.json')) return this.#json(path, wanted);
    const source = this.#state.readSnippet(path);
    if (!source) return new Unusable(name, 'missing');
    const module = this.#module(source);
    if (wanted === 'default' && source.root) return this.#snippetComponent(name, source);
    if (wanted === '*') {
      const fields = [...module.bindings.keys()].map((key) => [key, module.scope.own(key)] as const);
      return new ObjectValue(fields, true);
    }
    if (module.bindings.has(wanted)) return module.scope.own(wanted);
    const message = `"${path}" has no export named "${wanted}".`;
    const remedy = 'Correct the name in the braces of the import.';
    this.#state.warn('missing-import', message, remedy, { file: importer.file, line });
    return new Unusable(name, 'missing');
  }

  #json(path: string, wanted: string): Value {
    try {
      const data = fromData(JSON.parse(this.#state.site.readText(path) ?? 'null'));
      return wanted === 'default' || !(data instanceof ObjectValue) ? data : data.fields.get(wanted);
    } catch {
      return undefined;
    }
  }
}

/** The names that the code of a page imports or declares at its top level, without those that an MDX snippet stands for. */
export function declaredNames(source: SourceFile): string[] {
  return source.modules.flatMap(({ program }) => (program?.body ?? []).flatMap(namesOf));
}

function namesOf(statement: Program['body'][number]): string[] {
  switch (statement.type) {
    case 'ImportDeclaration':
      return statement.specifiers
        .filter(({ type }) => type !== 'ImportDefaultSpecifier' || !/\.mdx?$/.test(String(statement.source.value)))
        .map(({ local }) => local.name);
    case 'ExportNamedDeclaration':
      return statement.declaration ? namesOf(statement.declaration) : [];
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id }) => patternNames(id));
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return [statement.id.name];
    default:
      return [];
  }
}

type NameNode = { type: 'Identifier'; name: string } | { type: 'Literal'; value?: unknown };

function nameOf(node: NameNode): string {
  return node.type === 'Identifier' ? node.name : String(node.value);
}

function alias(exported: string, local: string, module: Module): void {
  if (exported !== local) module.bindings.set(exported, new Lazy(() => module.scope.own(local)));
}

function lineWithin(source: string, offset: number): number {
  let lines = 0;
  for (let at = source.indexOf('\n'); at >= 0 && at < offset; at = source.indexOf('\n', at + 1)) lines++;
  return lines;
}

function patternNames(pattern: Parameters<typeof bindPattern>[0]): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'AssignmentPattern':
      return patternNames(pattern.left);
    case 'RestElement':
      return patternNames(pattern.argument);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? patternNames(element) : []));
    case 'ObjectPattern':
      return pattern.properties.flatMap((part) => patternNames(part.type === 'RestElement' ? part.argument : part.value));
    default:
      return [];
  }
}

/** Names of code that is not valid JavaScript: known, so that they are not reported as unknown, but unusable. */
function bindBroken(part: ModulePart, source: SourceFile, module: Module): void {
  const kind = source.root ? 'missing' : 'needs-browser';
  const exported = /^export\s+(?:default\s+)?(?:async\s+)?(?:const|let|var|function|class)\s+([\w$]+)/gm;
  const found = [exported, /^export\s+(default)\b/gm, /^import\s+(\w+)/gm].flatMap((names) => [...part.source.matchAll(names)]);
  for (const [, name = ''] of found) module.bindings.set(name, new Unusable(name, kind));
}
