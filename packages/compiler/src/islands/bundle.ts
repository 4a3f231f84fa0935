import { createHash } from 'node:crypto';
import { components } from '@docent/format/content/components/registry.ts';
import type { IslandCall, IslandModule, PageNames } from '@docent/format/content/nodes/island.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import type {
  BuildFailure,
  Message,
  OnLoadResult,
  OnResolveArgs,
  OnResolveResult,
  Plugin,
} from 'esbuild';
import { BundlerCrash, runBundler } from './bundler.ts';

/** Where the bundler gets its modules: only the tree of the site. */
interface ModuleFinder {
  /**
   * Resolves an import to a file and its code; with `importer` undefined, returns exactly that
   * file.
   */
  find(
    specifier: string,
    importer: string | undefined,
  ): Promise<{ file: string | undefined; module: IslandModule | undefined }>;
}

export interface Bundle {
  /**
   * A classic script that passes its components to the runtime; they are named `call0`, `call1` …
   */
  text: string;
  hash: string;
  diagnostics: Diagnostic[];
  /** Error thrown by a component that uses a module that is missing or cannot be parsed. */
  reasons: ReadonlySet<string>;
}

const HOOKS =
  `useState useEffect useRef useCallback useMemo useContext useReducer useLayoutEffect useId useTransition
  useDeferredValue useImperativeHandle useSyncExternalStore createContext forwardRef memo Fragment`.split(
    /\s+/,
  );
const REACT_PACKAGE = /^(?:react|react-dom|preact)(?:\/.*)?$/;
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|pdf)$/i;

const LANGUAGE_NAMES = new Set(
  'Array Boolean Date Error Function Iterator JSON Map Math Number Object Promise Proxy RegExp Set String Symbol'.split(
    ' ',
  ),
);

/** Names that components use without importing them. */
const globals: Record<string, string> = {
  React: 'DocentReact',
  'globalThis.React': 'DocentReact',
  'window.React': 'DocentReact',
  user: 'DocentReact.user',
  // The name that the hosted service gives to its components.
  MintlifyComponents: 'DocentReact.builtIns',
  require: 'undefined',
  fetch: 'DocentReact.fetch',
  'window.fetch': 'DocentReact.fetch',
  location: 'DocentReact.location',
  'window.location': 'DocentReact.location',
  'document.location': 'DocentReact.location',
};
for (const name of HOOKS) globals[name] = `DocentReact.${name}`;
for (const name of components.keys()) {
  const [first = ''] = name.split('.', 1);
  // Some of our names are also names of the language; in code, those take precedence.
  if (!LANGUAGE_NAMES.has(first)) globals[first] = `DocentReact.builtIns.${first}`;
}

/**
 * Our components by name, as code. A component that imports one of them from a package gets ours.
 */
const ownComponents = new Map(
  Object.entries(globals).filter(([, code]) => code.startsWith('DocentReact.builtIns.')),
);
const OWN_EXPORTS = `{${[...ownComponents].map(([name, code]) => `${name}:${code}`).join()}}`;

/** The module with the names that snippets take from their page. */
const PAGE_NAMES = 'docent:page-names';

/** Checks types in development only: whatever components do with it, it has no effect. */
const PROP_TYPES = `const type = () => type;
const inherited = new Proxy({}, { get: (_, key) => (key === '__esModule' ? undefined : type) });
module.exports = Object.setPrototypeOf(type, inherited);`;

/** Maximum characters of code that the components of one page import. */
const MAX_CODE_LENGTH = 1_000_000;
/** Maximum broken files that are left out before a bundle fails. */
const MAX_BROKEN = 20;

/** How to bundle. */
interface BundleOptions {
  /** Functions keep the names that the author gave them. */
  keepsNames?: boolean;
  /**
   * Leaves out files of which the calls use nothing, even if they do something as soon as they
   * load.
   */
  isStrict?: boolean;
}

/**
 * Bundles the calls of a page with everything that they import into one script. A file that cannot
 * be compiled, and a module that cannot be imported, affect only the components that use them.
 * @throws BundlerCrash; Error with the location and the reason, if the calls themselves cannot be
 *   compiled
 */
export async function bundleCalls(
  calls: readonly IslandCall[],
  page: PageNames,
  finder: ModuleFinder,
  { keepsNames = false, isStrict = false }: BundleOptions = {},
): Promise<Bundle> {
  const broken = new Map<string, string>();
  let shared: PageNames = {
    file: page.file,
    names: page.names.filter((name) => !Object.hasOwn(globals, name)),
  };
  for (;;) {
    const modules = siteModules(calls, shared, finder, broken, isStrict);
    try {
      const code = await compile(modules.plugin, shared.names.length > 0, keepsNames);
      const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
      const text = `(self.docentIslands||=[]).push(["${hash}",function(DocentReact){${code}return DocentIsland}]);\n`;
      return { text, hash, diagnostics: modules.diagnostics, reasons: modules.reasons };
    } catch (error) {
      if (error instanceof BundlerCrash) throw error;
      if (shared.names.length > 0) {
        // The page may import a name that does not exist, which matters only if its own calls use
        // it.
        shared = { file: page.file, names: [] };
        continue;
      }
      const file = modules.isTooLarge() ? undefined : brokenFile(error);
      if (file === undefined || broken.has(file) || broken.size >= MAX_BROKEN)
        throw new Error(reasonOf(error));
      broken.set(file, reasonOf(error));
    }
  }
}

async function compile(plugin: Plugin, sharesNames: boolean, keepNames: boolean): Promise<string> {
  const { outputFiles } = await runBundler({
    entryPoints: ['docent:calls'],
    inject: sharesNames ? [PAGE_NAMES] : [],
    bundle: true,
    write: false,
    minify: true,
    keepNames,
    format: 'iife',
    globalName: 'DocentIsland',
    platform: 'browser',
    target: ['chrome126', 'safari18', 'firefox126'],
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'transform',
    jsxFactory: 'DocentReact.createElement',
    jsxFragment: 'DocentReact.Fragment',
    define: globals,
    // The bundler has no access to the file system: it reads neither settings nor modules from it.
    tsconfigRaw: '{}',
    absWorkingDir: '/',
    resolveExtensions: [],
    plugins: [plugin],
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** Returns the site's file, other than those with the calls, that made the bundle fail. */
function brokenFile(error: unknown): string | undefined {
  const file = (error as Partial<BuildFailure>).errors?.[0]?.location?.file ?? '';
  return file.startsWith('site:') ? file.slice('site:'.length) : undefined;
}

function reasonOf(error: unknown): string {
  const [first] = (error as Partial<BuildFailure>).errors ?? [];
  if (!first) return error instanceof Error ? error.message : 'the code cannot be compiled';
  return `${placeOf(first)}${first.text.replace(/(?<![.\s])[.\s]+$/, '')}`;
}

function placeOf({ location }: Message): string {
  return location ? `${location.file.replace(/^\w+:/, '')}:${location.line}: ` : '';
}

interface SiteModules {
  plugin: Plugin;
  diagnostics: Diagnostic[];
  reasons: Set<string>;
  /** Returns whether the page imports more code than allowed. */
  isTooLarge: () => boolean;
}

/**
 * The modules of one bundle: for each file with calls, its imports and definitions, and a component
 * for each call.
 * @param page what snippets may use without an import
 * @param broken files to leave out, with the reasons
 */
function siteModules(
  calls: readonly IslandCall[],
  page: PageNames,
  finder: ModuleFinder,
  broken: ReadonlyMap<string, string>,
  isStrict: boolean,
): SiteModules {
  const files = [...new Set(calls.map((call) => call.file))];
  const diagnostics: Diagnostic[] = [];
  const reasons = new Set<string>();
  let length = 0;
  const isTooLarge = () => length > MAX_CODE_LENGTH;

  async function resolve({
    path,
    importer,
    namespace,
    kind,
  }: OnResolveArgs): Promise<OnResolveResult> {
    if (path === PAGE_NAMES) return { path, namespace: 'docent', sideEffects: false };
    if (kind === 'entry-point') return { path: 'calls', namespace: 'docent' };
    if (namespace === 'docent') return { path, namespace: 'calls' };
    if (REACT_PACKAGE.test(path)) return { path: 'react', namespace: 'docent' };
    if (path === 'prop-types') return { path, namespace: 'docent', sideEffects: false };
    const { file, module } = await finder.find(path, importer);
    if (file !== undefined && IMAGE.test(file)) return { path: file, namespace: 'image' };
    if (file !== undefined && module) {
      return {
        path: file,
        namespace: files.includes(file) ? 'calls' : 'site',
        ...(isStrict && { sideEffects: false }),
      };
    }
    diagnostics.push(missingImport(path, importer, file));
    return { path, namespace: 'missing' };
  }

  const loaders: Record<string, (path: string) => OnLoadResult | Promise<OnLoadResult>> = {
    docent(path) {
      if (path === 'react') return { contents: 'module.exports = DocentReact', loader: 'js' };
      if (path === 'prop-types') return { contents: PROP_TYPES, loader: 'js' };
      return {
        contents: path === PAGE_NAMES ? pageNames(page) : entryOf(calls, files),
        loader: 'js',
      };
    },
    async calls(path) {
      const { module } = await finder.find(path, undefined);
      const callExports = calls.map(({ file, code }, index) =>
        file === path ? `export const docentCall${index} = ${code};\n` : '',
      );
      return take(module ?? { text: '', loader: 'jsx' }, path, `\n${callExports.join('')}`);
    },
    async site(path) {
      const reason = broken.get(path);
      if (reason !== undefined) return missing(reason);
      const { module } = await finder.find(path, undefined);
      return module ? take(module, path) : missing(`"${path}" contains no code`);
    },
    image: (path) => ({ contents: `export default ${JSON.stringify(`/${path}`)}`, loader: 'js' }),
    /**
     * An unresolved import is our component of that name, as for `<X>` without an import, or a
     * module that throws.
     */
    missing(path) {
      const [, name = ''] = /([^/]*?)(?:\.\w+)?$/.exec(path) ?? [];
      const component = ownComponents.get(name);
      if (component) return { contents: `module.exports = ${component}`, loader: 'js' };
      return missing(`"${path}" cannot be imported here`, OWN_EXPORTS);
    },
  };

  function take({ text, loader }: IslandModule, file: string, more = ''): OnLoadResult {
    const names = file === page.file ? page.names.map((name) => `${name} as ${SHARED}${name}`) : [];
    const contents = `${text}${more}${names.length > 0 ? `\nexport { ${names.join()} };` : ''}`;
    length += contents.length;
    if (isTooLarge())
      return { errors: [{ text: 'the components of this page import too much code' }] };
    if (loader !== 'json' && isTooDeep(contents))
      return missing(`the code of ${file} is nested too deeply`);
    return { contents, loader };
  }

  /** Returns a module whose exports, other than those in `kept`, all throw the reason when used. */
  function missing(reason: string, kept = '{}'): OnLoadResult {
    const text = reason.replace(/\s+/g, ' ').slice(0, 180);
    reasons.add(text);
    return {
      contents: `module.exports = DocentReact.missing(${JSON.stringify(text)},${kept})`,
      loader: 'js',
    };
  }

  const plugin: Plugin = {
    name: 'site-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, resolve);
      for (const [namespace, load] of Object.entries(loaders))
        onLoad({ filter: /.*/, namespace }, ({ path }) => load(path));
    },
  };
  return { plugin, diagnostics, reasons, isTooLarge };
}

function entryOf(calls: readonly IslandCall[], files: readonly string[]): string {
  const exported = files.map((file) => {
    const names = calls.flatMap((call, index) =>
      call.file === file ? [`docentCall${index} as call${index}`] : [],
    );
    return `export { ${names.join(', ')} } from ${JSON.stringify(file)};`;
  });
  return exported.join('\n');
}

/** Prefix of the names under which a page exports what its snippets may use. */
const SHARED = 'docentPage$';

function pageNames({ file, names }: PageNames): string {
  return `export { ${names.map((name) => `${SHARED}${name} as ${name}`).join()} } from ${JSON.stringify(file)};`;
}

function missingImport(specifier: string, importer: string, file: string | undefined): Diagnostic {
  const shortSpecifier = specifier.slice(0, 120);
  const isFile = file !== undefined || /^[./]/.test(specifier);
  return {
    severity: 'warning',
    code: isFile ? 'missing-import' : 'npm-import',
    message: isFile
      ? `The imported file "${shortSpecifier}" ${file === undefined ? 'does not exist' : 'is not code'}.`
      : `"${shortSpecifier}" is a package; pages cannot import packages.`,
    remedy: isFile
      ? 'Correct the path, or add the file.'
      : 'Import only files of the documentation.',
    file: importer,
  };
}

const MAX_DEPTH = 300;
const MAX_OPERATORS = 60;

/**
 * Returns whether code nests so deeply that the bundler, which is native and recursive, could run
 * out of stack. Counts brackets; those in strings count too, which is harmless.
 */
function isTooDeep(code: string): boolean {
  let depth = 0;
  let operators = 0;
  for (let at = 0; at < code.length; at++) {
    const char = code[at] as string;
    if (' \n\t\r'.includes(char)) continue;
    if ('!~+-'.includes(char)) {
      if (++operators > MAX_OPERATORS && !isRule(code, at)) return true;
      continue;
    }
    operators = 0;
    if ('([{'.includes(char) && ++depth > MAX_DEPTH) return true;
    if (')]}'.includes(char)) depth = Math.max(0, depth - 1);
  }
  return tagDepth(code) > MAX_DEPTH;
}

/** A line of dashes in a comment. */
function isRule(code: string, at: number): boolean {
  const line = code.slice(code.lastIndexOf('\n', at) + 1, at);
  return /^\s*(?:\/\/|\/\*|\*|\{\/\*)/.test(line);
}

function tagDepth(code: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [, close, selfClosing] of code.matchAll(
    /<(\/?)[a-zA-Z>][^<>]{0,2000}?(\/?)>|<(\/?)>/g,
  )) {
    if (close) depth = Math.max(0, depth - 1);
    else if (!selfClosing) deepest = Math.max(deepest, ++depth);
  }
  return deepest;
}
