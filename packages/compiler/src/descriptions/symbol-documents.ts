import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import type { SymbolSource } from '@docent/format/docs-json/site-config.ts';
import type { GeneratedPage } from '@docent/format/generated-page.ts';
import {
  isSymbolFormat,
  parseSymbolDocument,
  unsupportedFormat,
} from '@docent/symbol-reference/read-symbol-document.ts';
import {
  FreePaths,
  type SymbolDocument,
  type SymbolEntry,
} from '@docent/symbol-reference/symbol-document.ts';
import { isOutside } from '../outside/outside.ts';
import { installCommand, isInstalled } from '../process/optional-packages.ts';
import { moduleUrl } from '../process/own-modules.ts';
import type { SourceTree } from '../source/source-tree.ts';
import { readOnce } from './parsed-descriptions.ts';

/**
 * Loads the reader of GraphQL schemas: its library would be a fifth of the modules that every build
 * loads.
 */
function loadGraphql() {
  const { readGraphqlDocument } = createRequire(import.meta.url)(
    fileURLToPath(moduleUrl('../../../symbol-reference/src/graphql-document.ts', import.meta.url)),
  ) as typeof import('@docent/symbol-reference/graphql-document.ts');
  return readGraphqlDocument;
}

/** A page that is generated from a reference. */
export interface SymbolPage extends GeneratedPage {
  source: SymbolSource;
  /** Absent if the reference could not be read: the page reports it. */
  entry?: SymbolEntry;
}

/** The references of a source tree (`graphql`, `sdk`), each read once, on first request. */
export class SymbolDocuments {
  readonly #source: SourceTree;
  readonly #documents = new Map<string, SymbolDocument | undefined>();
  readonly #pagesOf = new Map<string, readonly SymbolPage[]>();
  readonly #pages = new Map<string, SymbolPage>();
  readonly #paths = new FreePaths();
  readonly diagnostics: Diagnostic[] = [];

  constructor(source: SourceTree) {
    this.#source = source;
  }

  /**
   * Returns the pages generated from a reference; a page that reports what is missing if it cannot
   * be read.
   */
  pagesOf(source: SymbolSource): readonly SymbolPage[] {
    const key = symbolSourceKey(source);
    const cachedPages = this.#pagesOf.get(key);
    if (cachedPages) return cachedPages;
    const document = this.find(source);
    const pages = document
      ? document.entries.map((entry): SymbolPage => {
          const [group, subgroup] = entry.groups;
          const path = this.#paths.take(`${source.directory}/${entry.path}`);
          return { path, source, entry, group, subgroup };
        })
      : [{ path: this.#paths.take(`${source.directory}/reference`), source }];
    this.#pagesOf.set(key, pages);
    for (const page of pages) this.#pages.set(page.path, page);
    return pages;
  }

  /** Returns the page that `pagesOf` generated at this path. */
  pageAt(path: string): SymbolPage | undefined {
    return this.#pages.get(path);
  }

  /** Returns the reference, or undefined (reported) if it cannot be read. */
  find({ format, source }: SymbolSource): SymbolDocument | undefined {
    const key = `${format} ${source}`;
    if (!this.#documents.has(key)) this.#documents.set(key, this.#load(format, source));
    return this.#documents.get(key);
  }

  #load(format: string, file: string): SymbolDocument | undefined {
    // Problems of a setting were reported where it was read.
    if (format === '' || file === '') return undefined;
    if (!isSymbolFormat(format)) {
      this.diagnostics.push(unsupportedFormat(format, 'docs.json'));
      return undefined;
    }
    if (format === 'graphql' && !isInstalled('graphql')) {
      this.diagnostics.push(missingLibrary(file));
      return undefined;
    }
    const parsed = readOnce(this.#source, file, format, (text, path) =>
      parseSymbolDocument(text, path, format, loadGraphql),
    );
    if (parsed === undefined) {
      // Problems of a URL were reported where it was fetched.
      if (!isOutside(file)) this.diagnostics.push(missingReference(file));
      return undefined;
    }
    this.diagnostics.push(...parsed.diagnostics);
    return parsed.document;
  }
}

/** Identifies a reference at one position in the site. */
export function symbolSourceKey({ format, source, directory }: SymbolSource): string {
  return `${format} ${source}\n${directory}`;
}

function missingLibrary(file: string): Diagnostic {
  return {
    severity: 'error',
    code: 'missing-file',
    message: `The reference ${file} needs the package graphql, which is not installed.`,
    remedy: `Run "${installCommand('graphql')}" beside Docent.`,
    file: 'docs.json',
  };
}

function missingReference(file: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'missing-file',
    message: `There is no file ${file}, the source of a reference.`,
    remedy: 'Correct the path in docs.json, or add the file.',
    file: 'docs.json',
  };
}
