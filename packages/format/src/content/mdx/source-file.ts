import type { Program } from 'acorn';
import { inFolder, pathInSource, sourceRoot } from '../../docs-json/site-sources.ts';
import { folderOf, joinPath } from '../../links.ts';
import { oncePerObject } from '../../once.ts';
import { parseModule } from '../expressions/syntax.ts';
import { ExpressionError } from '../expressions/value.ts';
import type { IslandModule, IslandModules } from '../nodes/island.ts';
import { nodesIn, type SourceNode, type SourceProblem } from '../nodes/source-node.ts';
import { convertBlocks } from './foreign-blocks.ts';
import { foreignSyntax } from './foreign-syntax.ts';
import { splitFrontmatter } from './frontmatter.ts';
import { homePage } from './home-page.ts';
import { modulesIn, type ParsedSource, parseSource } from './parse-source.ts';
import type { ImportedFiles, SourceFiles } from './source-files.ts';
import { lineCount, markdownAsMdx, normalizeText, substituteVariables } from './source-text.ts';
import { unclosedFences } from './unclosed-fences.ts';

/** A block of adjacent `import` and `export` lines. */
export interface ModulePart {
  /** Undefined if the source is not valid JavaScript, or too complex. */
  program: Program | undefined;
  source: string;
  /** The bundler must not get it. */
  isTooComplex?: boolean;
  /** 1-based line of the file. */
  line: number;
}

/** A parsed page or snippet. Immutable: it depends only on the text and the site's settings. */
export interface SourceFile {
  file: string;
  /** Undefined for files of JavaScript. */
  root: SourceNode | undefined;
  /** Text that the positions in `root` refer to. */
  text: string;
  /** Offset from lines of `root` to lines of the file. */
  lineOffset: number;
  modules: ModulePart[];
  /** Lines are those of the file. */
  problems: SourceProblem[];
}

const SCRIPT = /\.(?:jsx?|tsx?|mjs)$/;
const LOOKS_LIKE_MDX = /^(?:import|export)\s|<[A-Z][\w.]*[\s/>]/m;

/**
 * Parses a page or a snippet by its file type.
 * @param text the whole file, frontmatter included
 * @param isComponent whether pages may call a component of that name
 */
export function readSourceFile(
  file: string,
  text: string,
  site: SourceFiles,
  isComponent: (name: string) => boolean,
): SourceFile {
  if (SCRIPT.test(file)) {
    const script = normalizeText(text);
    const problems: SourceProblem[] = [];
    const part = readPart(script, 1, problems);
    // TypeScript, or newer syntax than supported, is no problem: its components become
    // placeholders.
    return {
      file,
      root: undefined,
      text: script,
      lineOffset: 0,
      modules: [part],
      problems: part.isTooComplex ? problems : [],
    };
  }
  const { body, bodyLine } = splitFrontmatter(text);
  const home = homePage(text, file);
  const content = home === undefined ? body : `${home.text}\n\n${body}`;
  const source = substituteVariables(content, site.config.variables);
  const parsed =
    parseWithBlocks(file, source, site, isComponent) ??
    parseByKind(file, source, site, isComponent);
  const lineOffset = bodyLine - 1;
  const problems = withSourceFaults(parsed, source).map((problem) => ({
    ...problem,
    line: problem.line + lineOffset,
  }));
  const modules = modulesIn(parsed.root).map(({ value = '', position }) =>
    readPart(value, (position?.start.line ?? 1) + lineOffset, problems),
  );
  return { file, root: parsed.root, text: parsed.text, lineOffset, modules, problems };
}

/**
 * Adds what is valid but not meant. Markup of another platform is one fact, whatever the parser
 * says about its signs.
 */
function withSourceFaults({ root, problems }: ParsedSource, source: string): SourceProblem[] {
  const foreign = foreignSyntax(root, source);
  const foreignLines = new Set(foreign.map(({ line }) => line));
  const text = foreign.length > 0 ? source.split('\n') : [];
  const isForeign = (line: number) =>
    foreignLines.has(line) || /^[ \t]*\{%-?[ \t]*end/.test(text[line - 1] ?? '');
  const others = problems.filter(({ severity, line }) => severity === 'error' || !isForeign(line));
  return [...others, ...foreign, ...unclosedFences(root, source)];
}

/**
 * Parses a text in which blocks of other platforms are components. In Markdown, braces and tags
 * that MDX does not allow are text.
 * @returns undefined if there are none, or if the text is no MDX with them
 */
function parseWithBlocks(
  file: string,
  source: string,
  site: SourceFiles,
  isComponent: (name: string) => boolean,
): ParsedSource | undefined {
  const blocks = convertBlocks(source);
  if (blocks === undefined) return undefined;
  const math = site.config.latex !== false;
  const parse = (text: string) => parseSource(text, { math, isMarkdown: false, isComponent });
  const isMarkdown = file.endsWith('.md');
  if (!isMarkdown || LOOKS_LIKE_MDX.test(source)) {
    const parsed = parse(blocks.text);
    if (!isMarkdown || parsed.problems.length === 0)
      return { ...parsed, problems: [...blocks.problems, ...parsed.problems] };
  }
  const parsed = parse(markdownAsMdx(blocks.text));
  return parsed.problems.some(({ severity }) => severity === 'error')
    ? undefined
    : { ...parsed, problems: blocks.problems };
}

function parseByKind(
  file: string,
  source: string,
  site: SourceFiles,
  isComponent: (name: string) => boolean,
): ParsedSource {
  const isKnown = (name: string): boolean =>
    isComponent(name) ||
    new RegExp(`^(?:import|export)\\b.*\\b${name.replace(/\W/g, '\\$&')}\\b`, 'm').test(source);
  const parseAs = (isMarkdown: boolean) =>
    parseSource(source, { math: site.config.latex !== false, isMarkdown, isComponent: isKnown });
  if (!file.endsWith('.md')) return parseAs(false);
  const mdx = LOOKS_LIKE_MDX.test(source) ? parseAs(false) : undefined;
  if (mdx?.problems.length === 0) return mdx;
  const parsed = parseAs(true);
  if (!source.includes('<') || !showsMarkup(parsed.root)) return parsed;
  // Between HTML tags, Markdown is not parsed; it is if the file is parsed as MDX.
  const asMdx = mdx ?? parseAs(false);
  return asMdx.problems.some(({ severity }) => severity === 'error')
    ? parsed
    : { ...asMdx, problems: [] };
}

/** Returns whether links or attributes would be visible as raw text. */
function showsMarkup(root: SourceNode): boolean {
  return nodesIn(root, ({ tagName }) => tagName !== 'code' && tagName !== 'pre').some(
    ({ type, value = '' }) => type === 'text' && /\]\((?:https?:|[/.#])|\bclassName=/.test(value),
  );
}

const TOO_COMPLEX = 'Move generated data into a list or a JSON file, or split the code.';

function readPart(source: string, line: number, problems: SourceProblem[]): ModulePart {
  try {
    return { program: parseModule(source), source, line };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const isTooComplex = error.kind === 'limit';
    const { at = { line: 1, column: 1 } } = error;
    problems.push({
      severity: 'error',
      code: isTooComplex ? 'page-too-complex' : 'mdx-syntax',
      message: isTooComplex
        ? `${error.message}.`
        : `An import or export is not valid. ${error.message}.`,
      remedy: isTooComplex
        ? TOO_COMPLEX
        : 'Correct the JavaScript; TypeScript is not available in pages.',
      line: line + at.line - 1,
      column: at.column,
    });
    return { program: undefined, source, line, isTooComplex };
  }
}

const snippetsOf = oncePerObject(
  (_: SourceFiles) => new Map<string, { text: string; source: SourceFile }>(),
);

/** Returns a snippet, parsed once per site. Undefined if the tree has no such file. */
export function readSnippet(
  file: string,
  site: SourceFiles,
  isComponent: (name: string) => boolean,
): SourceFile | undefined {
  const text = site.readText(file);
  if (text === undefined) return undefined;
  const snippets = snippetsOf(site);
  const cached = snippets.get(file);
  if (cached?.text === text) return cached.source;
  const source = readSourceFile(file, text, site, isComponent);
  snippets.set(file, { text, source });
  return source;
}

/** Larger files are not components; also bounds the bundler's work on hostile nesting. */
const MAX_LENGTH = 128 * 1024;
const MAX_DATA_LENGTH = 1024 * 1024;

/**
 * The files of a site as modules that components of a page may import. Only the imports and exports
 * of MDX files are code.
 * @param names what the page imports and defines
 */
export function islandModules(
  page: SourceFile,
  names: readonly string[],
  site: SourceFiles,
  isComponent: (name: string) => boolean,
): IslandModules {
  return {
    page: { file: page.file, names },
    day: site.day(),
    resolve: (specifier, importer) => resolveImport(specifier, importer, site),
    read(file) {
      if (/\.json$/i.test(file)) {
        const text = site.readText(file);
        return text !== undefined && text.length <= MAX_DATA_LENGTH
          ? { text, loader: 'json' }
          : undefined;
      }
      const source = file === page.file ? page : readSnippet(file, site, isComponent);
      const islandModule = source && moduleOf(source);
      return islandModule && islandModule.text.length <= MAX_LENGTH ? islandModule : undefined;
    },
  };
}

function moduleOf(source: SourceFile): IslandModule | undefined {
  if (source.modules.some((part) => part.isTooComplex)) return undefined;
  if (!source.root) return { text: source.text, loader: loaderOf(source.file) };
  let text = '';
  let line = 1;
  for (const part of source.modules) {
    // The parts keep their lines, so that the bundler's messages have correct positions.
    text += '\n'.repeat(Math.max(part.line - line, text === '' ? 0 : 1)) + part.source;
    line = Math.max(line, part.line) + lineCount(part.source);
  }
  return { text, loader: source.modules.every((part) => part.program) ? 'jsx' : 'tsx' };
}

function loaderOf(file: string): IslandModule['loader'] {
  if (/\.tsx$/i.test(file)) return 'tsx';
  return /\.ts$/i.test(file) ? 'ts' : 'jsx';
}

const EXTENSIONS = [
  '',
  '.mdx',
  '.md',
  '.jsx',
  '.tsx',
  '.js',
  '.ts',
  '/index.mdx',
  '/index.md',
  '/index.jsx',
];

/**
 * Resolves an import to a file of the tree: relative or from the root, with or without its
 * extension.
 * @returns undefined if there is none
 */
export function resolveImport(
  specifier: string,
  importer: string,
  site: ImportedFiles,
): string | undefined {
  const base = importPath(specifier, importer, site);
  return EXTENSIONS.map((extension) => base + extension).find(filesBeside(importer, site));
}

/** Returns the path of an import, which cannot leave the source of the importer. */
export function importPath(
  specifier: string,
  importer: string,
  { config }: Pick<ImportedFiles, 'config'>,
): string {
  const from = specifier.startsWith('.') ? folderOf(pathInSource(config.sources, importer)) : '';
  return inFolder(sourceRoot(config.sources, importer), joinPath(from, specifier));
}

/** A file includes only files of its own source. */
function filesBeside(importer: string, { config: { sources }, hasFile }: ImportedFiles) {
  const root = sourceRoot(sources, importer);
  return (path: string) => sourceRoot(sources, path) === root && hasFile(path);
}

/** Resolves the file of a legacy `<Snippet file="x.mdx" />`. */
export function resolveSnippet(
  name: string,
  importer: string,
  site: ImportedFiles,
): string | undefined {
  const path = joinPath('', name);
  const root = sourceRoot(site.config.sources, importer);
  const places = ['_snippets/', 'snippets/', ''].flatMap((folder) =>
    ['', '.mdx', '.md'].map((extension) => inFolder(root, folder + path + extension)),
  );
  return places.find(filesBeside(importer, site));
}

/**
 * Resolves a component name to a snippet: `<SoftLimit />` is `snippets/soft-limit.mdx`, or similar.
 */
export function findSnippetNamed(
  name: string,
  importer: string,
  site: ImportedFiles,
): string | undefined {
  if (!/^[A-Z][A-Za-z\d]*$/.test(name)) return undefined;
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1-$2').replace(/([A-Z])([A-Z][a-z])/g, '$1-$2');
  const kebab = words.toLowerCase();
  const spellings = [
    kebab,
    name,
    name.charAt(0).toLowerCase() + name.slice(1),
    kebab.replaceAll('-', '_'),
  ];
  const root = sourceRoot(site.config.sources, importer);
  return ['snippets/', '_snippets/']
    .flatMap((folder) =>
      spellings.flatMap((spelling) => [`${folder}${spelling}.mdx`, `${folder}${spelling}.md`]),
    )
    .map((path) => inFolder(root, path))
    .find(filesBeside(importer, site));
}
