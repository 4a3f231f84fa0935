import type { ApiChannel, ApiDocument } from '../core/api-reference/api-document.ts';
import { apiPages } from '../core/api-reference/api-pages.ts';
import {
  type FoundOperation,
  findChannel,
  findOperation,
  findSchema,
  parseNameReference,
  parseOperationReference,
} from '../core/api-reference/find-operation.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import type { OpenApiSource } from '../core/docs-json/site-config.ts';
import type { ApiPageRef } from '../core/navigation/navigation.ts';
import { isOutside } from './outside.ts';
import { parseOnce } from './parsed-descriptions.ts';
import type { SourceTree } from './source-tree.ts';

/** The API descriptions of a source tree, each read once, when it is first asked for. */
export class ApiDocuments {
  readonly #source: SourceTree;
  readonly #documents = new Map<string, ApiDocument | undefined>();
  readonly #diagnostics: Diagnostic[] = [];
  readonly #pages = new Map<string, ApiPageRef>();

  /** @param names descriptions to read at once, for references that name no file */
  constructor(source: SourceTree, names: Iterable<string> = []) {
    this.#source = source;
    for (const name of names) this.#load(name);
  }

  /** What was wrong with the descriptions that were asked for. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** Whether there is a description among them that can be read. */
  get isReadable(): boolean {
    return [...this.#documents.values()].some((document) => document !== undefined);
  }

  /** Names of the descriptions that were read. */
  get names(): string[] {
    return [...this.#documents.keys()];
  }

  /** The pages that a description makes; empty where it cannot be read. */
  pagesOf(place: OpenApiSource): ApiPageRef[] {
    const document = this.#load(place.source);
    if (!document) return [];
    const pages = apiPages(document, place);
    for (const page of pages) if (!this.#pages.has(page.path)) this.#pages.set(page.path, page);
    return pages;
  }

  /** The page that `pagesOf` made at this path. */
  pageAt(path: string): ApiPageRef | undefined {
    return this.#pages.get(path);
  }

  /** The operation of a page that was made from a description, or of frontmatter `openapi`. */
  findOperation(reference: string, name?: string): FoundOperation | undefined {
    const named = name ?? parseOperationReference(reference)?.file;
    return findOperation(this.#candidates(named), reference);
  }

  findSchema(reference: string): { document: ApiDocument; name: string } | undefined {
    return findSchema(this.#candidates(parseNameReference(reference)?.file), reference);
  }

  findChannel(reference: string, name?: string): { document: ApiDocument; channel: ApiChannel } | undefined {
    return findChannel(this.#candidates(name ?? parseNameReference(reference)?.file), reference);
  }

  /** The named document alone where there is one, else all. */
  #candidates(name: string | undefined): ApiDocument[] {
    const named = name === undefined ? undefined : this.#load(name, false);
    if (named) return [named];
    return [...this.#documents.values()].filter((document) => document !== undefined);
  }

  #load(name: string, reports = true): ApiDocument | undefined {
    const file = name.replace(/^\.?\/+/, '');
    if (this.#documents.has(file)) return this.#documents.get(file);
    const text = this.#source.readText(file);
    if (text === undefined) {
      if (!reports) return undefined;
      this.#documents.set(file, undefined);
      // What was wrong with an address is said where it was fetched.
      if (!isOutside(file)) this.#diagnostics.push(missingDescription(file));
      return undefined;
    }
    const { document, diagnostics } = parseOnce(text, file);
    this.#documents.set(file, document);
    this.#diagnostics.push(...diagnostics);
    return document;
  }
}

function missingDescription(file: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'missing-file',
    message: `There is no API description ${file}.`,
    remedy: 'Correct the path in docs.json, or add the file.',
    file: 'docs.json',
  };
}
