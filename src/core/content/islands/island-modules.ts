import { resolveImport } from '../mdx/import-path.ts';
import type { SourceFile } from '../mdx/source-file.ts';
import type { IslandModule, IslandModules, PageNames } from './island.ts';

/** The page context for reading modules. */
export interface ModuleSources {
  hasFile(path: string): boolean;
  readText(path: string): string | undefined;
  /** A parsed page or snippet. */
  readSource(file: string): SourceFile | undefined;
}

/** Larger files are not components; also bounds the bundler's work on hostile nesting. */
const MAX_LENGTH = 128 * 1024;
const MAX_DATA_LENGTH = 1024 * 1024;

/** The files of a site as modules that components may import. Only the imports and exports of MDX files are code. */
export function islandModules(page: PageNames, sources: ModuleSources): IslandModules {
  return {
    page,
    resolve: (specifier, importer) => resolveImport(specifier, importer, (path) => sources.hasFile(path)),
    read(file) {
      if (/\.json$/i.test(file)) {
        const text = sources.readText(file);
        return text !== undefined && text.length <= MAX_DATA_LENGTH ? { text, loader: 'json' } : undefined;
      }
      const source = sources.readSource(file);
      const found = source && moduleOf(source);
      return found && found.text.length <= MAX_LENGTH ? found : undefined;
    },
  };
}

function moduleOf(source: SourceFile): IslandModule {
  if (!source.root) return { text: source.text, loader: loaderOf(source.file) };
  let text = '';
  let line = 1;
  for (const part of source.modules) {
    // The parts keep their lines, so that the bundler's messages have correct positions.
    text += '\n'.repeat(Math.max(part.line - line, text === '' ? 0 : 1)) + part.source;
    line = Math.max(line, part.line) + part.source.split('\n').length - 1;
  }
  return { text, loader: source.modules.every((part) => part.program) ? 'jsx' : 'tsx' };
}

function loaderOf(file: string): IslandModule['loader'] {
  if (/\.tsx$/i.test(file)) return 'tsx';
  return /\.ts$/i.test(file) ? 'ts' : 'jsx';
}
