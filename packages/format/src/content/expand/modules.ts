import type {
  AnonymousFunctionDeclaration,
  Expression,
  FunctionDeclaration,
  ImportDeclaration,
  Literal,
  Program,
  VariableDeclarator,
} from 'acorn';
import { didYouMean } from '../../nearest-name.ts';
import type { Interpreter } from '../expressions/interpreter.ts';
import { bindPattern } from '../expressions/statements.ts';
import {
  fromData,
  type HostComponent,
  Lazy,
  ObjectValue,
  Scope,
  Unusable,
  type Value,
} from '../expressions/value.ts';
import { importPath, type ModulePart, resolveImport, type SourceFile } from '../mdx/source-file.ts';
import { lineCount } from '../mdx/source-text.ts';
import type { ExpandState } from './expand-state.ts';

interface Module {
  source: SourceFile;
  scope: Scope;
  bindings: Map<string, Value | Lazy>;
}

/** Packages of other platforms, which have components with the names of ours. */
const FOREIGN_PACKAGES = [
  ['@theme/', 'Docusaurus'],
  ['@docusaurus/', 'Docusaurus'],
  ['@astrojs/', 'Starlight'],
  ['nextra', 'Nextra'],
  ['fumadocs', 'Fumadocs'],
  ['vitepress', 'VitePress'],
  ['rspress', 'Rspress'],
] as const;

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
   * The names that the page imports and defines. Its snippets see them too: authors rely on one
   * scope, as if snippets were pasted into the page. A name of ours means the same in every file.
   */
  pageBindings(page: SourceFile): Map<string, Value | Lazy> {
    const { bindings } = this.#module(page);
    for (const [name, value] of bindings) {
      if (
        name !== 'default' &&
        !this.#state.isComponent(name) &&
        !this.#state.globals.bindings.has(name)
      ) {
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
    const boundModule = this.#bound.get(source);
    if (boundModule) return boundModule;
    const bindings = new Map<string, Value | Lazy>();
    const module = { source, scope: new Scope(this.outer, bindings), bindings };
    this.#bound.set(source, module);
    for (const problem of source.problems) this.#state.report({ ...problem, file: source.file });
    for (const part of source.modules) {
      if (part.program)
        for (const statement of part.program.body) this.#bind(statement, part, module);
      else bindBroken(part, module);
    }
    return module;
  }

  #bind(node: Program['body'][number], part: ModulePart, module: Module): void {
    const { bindings, scope } = module;
    const line =
      'source' in node && node.source
        ? part.line + lineCount(part.source.slice(0, node.start))
        : part.line;
    switch (node.type) {
      case 'ImportDeclaration':
        for (const item of node.specifiers)
          this.#import(node.source, importedName(item), item.local.name, line, module);
        break;
      case 'ExportNamedDeclaration':
        if (node.declaration) this.#bind(node.declaration, part, module);
        for (const { local, exported } of node.specifiers) {
          if (node.source) this.#import(node.source, nameOf(local), nameOf(exported), line, module);
          else alias(nameOf(exported), nameOf(local), module);
        }
        break;
      case 'ExportDefaultDeclaration': {
        const { declaration } = node;
        const value =
          declaration.type === 'ClassDeclaration'
            ? new Unusable('default', 'needs-browser')
            : new Lazy(() => this.#valueOf(declaration, scope));
        bindings.set('default', value);
        if (declaration.type === 'FunctionDeclaration' && declaration.id)
          bindings.set(declaration.id.name, value);
        break;
      }
      case 'ExportAllDeclaration':
        if (node.exported) this.#import(node.source, '*', nameOf(node.exported), line, module);
        else this.#importAll(node.source, line, module);
        break;
      case 'FunctionDeclaration':
        bindings.set(node.id.name, new Lazy(() => this.#valueOf(node, scope)));
        break;
      case 'ClassDeclaration':
        bindings.set(node.id.name, new Unusable(node.id.name, 'needs-browser'));
        break;
      case 'VariableDeclaration':
        for (const declarator of node.declarations) this.#bindVariables(declarator, module);
    }
  }

  #valueOf(
    node: Expression | FunctionDeclaration | AnonymousFunctionDeclaration,
    scope: Scope,
  ): Value {
    return node.type === 'FunctionDeclaration'
      ? this.#interpreter.closure(node, scope)
      : this.#interpreter.evaluate(node, scope);
  }

  #bindVariables({ id, init }: VariableDeclarator, { bindings, scope }: Module): void {
    if (id.type === 'Identifier')
      bindings.set(id.name, new Lazy(() => (init ? this.#valueOf(init, scope) : undefined)));
    else if (init) {
      // Only the names matter here; the members are extracted on first read.
      const parts = new Scope(scope);
      const all = new Lazy(
        () => void bindPattern(id, this.#valueOf(init, scope), parts, this.#interpreter),
      );
      const partOf = (name: string) => {
        all.read();
        return parts.own(name);
      };
      for (const name of patternNames(id)) bindings.set(name, new Lazy(() => partOf(name)));
    }
  }

  #import(
    { value }: Literal,
    exportName: string,
    name: string,
    line: number,
    module: Module,
  ): void {
    const imported = this.#imported(String(value), exportName, name, line, module.source);
    if (imported !== undefined) module.bindings.set(name, imported);
  }

  #importAll(from: Literal, line: number, module: Module): void {
    const path = this.#resolve(String(from.value), module.source);
    const source = path === undefined ? undefined : this.#state.readSnippet(path);
    for (const name of source ? this.#module(source).bindings.keys() : []) {
      if (name !== 'default' && !module.bindings.has(name))
        this.#import(from, name, name, line, module);
    }
  }

  /**
   * Returns the value of an imported name, resolved on first read. A missing file is reported
   * immediately. An import that leads nowhere does not hide the built-in component of that name,
   * which needs no import.
   */
  #imported(
    specifier: string,
    exportName: string,
    name: string,
    line: number,
    importer: SourceFile,
  ): Value | Lazy {
    // React's names need no import, those of prop-types have no effect, and code that really uses
    // them runs only in browsers.
    if (/^(?:react|preact|prop-types)(?:\/|$)/.test(specifier))
      return new Unusable(name, 'needs-browser');
    const path = this.#resolve(specifier, importer);
    if (path !== undefined && ASSET.test(path)) return `/${path}`;
    if (path !== undefined)
      return new Lazy(() => this.#fromFile(path, exportName, name, line, importer));
    const isFile = /^[./]|\.(?:mdx?|jsx?|tsx?)$/.test(specifier);
    const isOurs = this.#state.isComponent(name);
    const place = { file: importer.file, line };
    if (isFile) {
      const message = `The imported file "${specifier}" does not exist.`;
      const near = this.#state.site.nearFile?.(
        importPath(specifier, importer.file, this.#state.site),
      );
      this.#state.warn(
        'missing-import',
        message,
        didYouMean(near && `/${near}`, 'Correct the path, or add the file.'),
        place,
      );
    } else if (isOurs) {
      const platform = FOREIGN_PACKAGES.find(([start]) => specifier.startsWith(start))?.[1];
      const message = `"${specifier}" is a part of ${platform}; the built-in <${name}> is used instead.`;
      const remedy = `Remove the import, and check the props of <${name}>: they may differ.`;
      if (platform !== undefined) this.#state.warn('foreign-syntax', message, remedy, place);
    } else {
      const message = `"${specifier}" is a package; pages cannot import packages.`;
      this.#state.warn('npm-import', message, 'Import only files of the documentation.', place);
    }
    return isOurs ? undefined : new Unusable(name, isFile ? 'missing' : 'needs-browser');
  }

  #resolve(specifier: string, importer: SourceFile): string | undefined {
    return resolveImport(specifier, importer.file, this.#state.site);
  }

  #fromFile(
    path: string,
    exportName: string,
    name: string,
    line: number,
    importer: SourceFile,
  ): Value {
    if (path.endsWith('.json')) return this.#json(path, exportName);
    const source = this.#state.readSnippet(path);
    if (!source) return new Unusable(name, 'missing');
    const module = this.#module(source);
    if (exportName === 'default' && source.root) return this.#snippetComponent(name, source);
    if (exportName === '*') {
      const fields = [...module.bindings.keys()].map(
        (key) => [key, module.scope.own(key)] as const,
      );
      return new ObjectValue(fields, true);
    }
    if (module.bindings.has(exportName)) return module.scope.own(exportName);
    const message = `"${path}" has no export named "${exportName}".`;
    const remedy = 'Correct the name in the braces of the import.';
    this.#state.warn('missing-import', message, remedy, { file: importer.file, line });
    return new Unusable(name, 'missing');
  }

  #json(path: string, exportName: string): Value {
    try {
      const data = fromData(JSON.parse(this.#state.site.readText(path) ?? 'null'));
      return exportName === 'default' || !(data instanceof ObjectValue)
        ? data
        : data.fields.get(exportName);
    } catch {
      return undefined;
    }
  }
}

/**
 * The names that the code of a page imports or declares at its top level, without those that an MDX
 * snippet stands for.
 */
export function declaredNames(source: SourceFile): string[] {
  return source.modules.flatMap(({ program }) => (program?.body ?? []).flatMap(namesOf));
}

function namesOf(statement: Program['body'][number]): string[] {
  switch (statement.type) {
    case 'ImportDeclaration':
      return statement.specifiers
        .filter(
          ({ type }) =>
            type !== 'ImportDefaultSpecifier' || !/\.mdx?$/.test(String(statement.source.value)),
        )
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

function importedName(item: ImportDeclaration['specifiers'][number]): string {
  if (item.type === 'ImportSpecifier') return nameOf(item.imported);
  return item.type === 'ImportDefaultSpecifier' ? 'default' : '*';
}

function alias(exported: string, local: string, module: Module): void {
  if (exported !== local) module.bindings.set(exported, new Lazy(() => module.scope.own(local)));
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
      return pattern.properties.flatMap((part) =>
        patternNames(part.type === 'RestElement' ? part.argument : part.value),
      );
    default:
      return [];
  }
}

/**
 * Names of code that is not valid JavaScript: known, so that they are not reported as unknown, but
 * unusable.
 */
function bindBroken(part: ModulePart, { source, bindings }: Module): void {
  const kind = source.root ? 'missing' : 'needs-browser';
  const exported =
    /^export\s+(?:default\s+)?(?:async\s+)?(?:const|let|var|function|class)\s+([\w$]+)/gm;
  const matches = [exported, /^export\s+(default)\b/gm, /^import\s+(\w+)/gm].flatMap((names) => [
    ...part.source.matchAll(names),
  ]);
  for (const [, name = ''] of matches) bindings.set(name, new Unusable(name, kind));
}
