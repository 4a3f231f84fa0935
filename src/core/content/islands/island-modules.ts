import { resolveImport } from '../mdx/import-path.ts';
import type { SourceFile } from '../mdx/source-file.ts';
import type { IslandModule, IslandModules } from './island.ts';

/** What reading modules needs of the page that uses them. */
export interface ModuleSources {
  hasFile(path: string): boolean;
  readText(path: string): string | undefined;
  /** A page or a snippet, parsed. */
  readSource(file: string): SourceFile | undefined;
}

/** Larger ones are no components; also bounds what the bundler has to do with hostile nesting. */
const MAX_LENGTH = 128 * 1024;
const MAX_DATA_LENGTH = 1024 * 1024;

/** The files of a site as modules that components may import. Of MDX files only what they import and export is code. */
export function islandModules(sources: ModuleSources): IslandModules {
  return {
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
    // The parts keep their lines, so that what the bundler says is true of the file.
    text += '\n'.repeat(Math.max(part.line - line, text === '' ? 0 : 1)) + part.source;
    line = Math.max(line, part.line) + part.source.split('\n').length - 1;
  }
  return { text, loader: source.modules.every((part) => part.program) ? 'jsx' : 'tsx' };
}

function loaderOf(file: string): IslandModule['loader'] {
  if (/\.tsx$/i.test(file)) return 'tsx';
  return /\.ts$/i.test(file) ? 'ts' : 'jsx';
}
