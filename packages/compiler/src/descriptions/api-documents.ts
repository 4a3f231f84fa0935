import type { ApiDocument } from '@docent/format/api-reference/api-document.ts';
import { apiPages, freePath } from '@docent/format/api-reference/api-pages.ts';
import {
  channelOf,
  type FoundOperation,
  findOperation,
  hasSchema,
  type NameReference,
  parseNameReference,
  parseOperationReference,
} from '@docent/format/api-reference/find-operation.ts';
import { type ObjectPage, objectPages } from '@docent/format/api-reference/markup/object-pages.ts';
import type { Frontmatter } from '@docent/format/content/mdx/frontmatter.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import type { OpenApiSource, SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { inFolder, sourceRoot } from '@docent/format/docs-json/site-sources.ts';
import type { SourcePlace } from '@docent/format/errors.ts';
import type { ApiPageRef } from '@docent/format/generated-page.ts';
import { withoutSlashes } from '@docent/format/links.ts';
import { NearPaths } from '@docent/format/near-path.ts';
import { didYouMean } from '@docent/format/nearest-name.ts';
import { isOutside } from '../outside/outside.ts';
import type { SourceTree } from '../source/source-tree.ts';
import {
  addressesNamed,
  type DescriptionFile,
  filesNamed,
  findDescriptionFiles,
  plainName,
} from './named-descriptions.ts';
import { parseOnce } from './parsed-descriptions.ts';

/** What a page shows of an API description. Names are those of the description itself. */
export type ApiTarget = { description: string } & (
  | { kind: 'operation'; method: string; route: string }
  | { kind: 'channel'; name: string }
  /** `isObject`: on a page generated for the object, which links to others. */
  | { kind: 'schema'; name: string; isObject?: true }
);

/**
 * The API descriptions of a source tree, each read once, when it is first needed. The only place
 * that decides which description a page refers to: the one that it names, else those of the `api`
 * setting, else every one of the source in path order.
 */
export class ApiDocuments {
  readonly #source: SourceTree;
  readonly #config: Pick<SiteConfig, 'api' | 'navigation' | 'sources'>;
  readonly #isIgnored: (path: string) => boolean;
  readonly #documents = new Map<string, ApiDocument | undefined>();
  readonly #diagnostics: Diagnostic[] = [];
  /** Files that do not exist, each reported once, with all places that name it. */
  readonly #absent = new Map<string, Diagnostic>();
  readonly #pages = new Map<string, ApiPageRef>();
  readonly #takenPaths = new Set<string>();
  /** Problems of descriptions that nothing names, until something of them is shown. */
  readonly #unsaid = new Map<string, Diagnostic[]>();
  /** Page path → the description that the page represents. */
  readonly #missing = new Map<string, string>();
  /** Descriptions whose operations are shown, with the folder of their pages. */
  readonly #shown = new Map<string, string>();
  #files: DescriptionFile[] | undefined;
  readonly #near = new NearPaths(() => this.#allFiles().map(({ path }) => path));
  /** Where the navigation names descriptions that are not files of the source. */
  #addresses: string[] | undefined;

  constructor(
    source: SourceTree,
    config: Pick<SiteConfig, 'api' | 'navigation' | 'sources'>,
    isIgnored: (path: string) => boolean,
  ) {
    this.#source = source;
    this.#config = config;
    this.#isIgnored = isIgnored;
  }

  /**
   * Represents an unreadable description in the navigation, so that its tab does not disappear
   * silently.
   */
  #missingPage({ source, directory = this.#folderFor(source) }: OpenApiSource): ApiPageRef {
    const path = freePath(`${withoutSlashes(directory)}/missing`, this.#takenPaths);
    this.#missing.set(path, source);
    return { path, method: '', route: '', title: 'API', source };
  }

  /** Returns the unreadable description that the page at this path represents. */
  missingAt(path: string): string | undefined {
    return this.#missing.get(path);
  }

  /**
   * Schemas of the shown descriptions that have their own pages, because they are nested too deeply
   * for operation pages.
   */
  objectPages(): { description: string; page: ObjectPage }[] {
    return [...this.#shown].flatMap(([description, directory]) => {
      const document = this.#load(description);
      const pages = document ? objectPages(document, directory, this.#takenPaths) : [];
      return pages.map((page) => ({ description, page }));
    });
  }

  /** Problems of the descriptions that were needed. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#diagnostics, ...this.#absent.values()];
  }

  /** Every OpenAPI file of the source in path order, whether or not anything names it. */
  get openApiFiles(): OpenApiSource[] {
    return this.#allFiles()
      .filter(({ kind }) => kind === 'openapi')
      .map(({ path }) => ({ source: path }));
  }

  /**
   * Returns the pages generated from a description, or from a folder of them; a page that reports
   * what is missing if none can be read.
   */
  pagesOf(place: OpenApiSource): ApiPageRef[] {
    const files = this.#filesOf(place.source);
    if (files.length === 0 && !isOutside(place.source)) this.#reportAbsent(place.source);
    if (!files.some((file) => this.#load(file))) return [this.#missingPage(place)];
    return files.flatMap((source) => {
      const document = this.#load(source);
      const directory = place.directory ?? this.#folderFor(source);
      const pages = document
        ? apiPages(
            document,
            { ...place, source, directory },
            this.#takenPaths,
            sourceRoot(this.#config.sources, source),
          )
        : [];
      if (document) this.#show(document, place.directory);
      for (const page of pages) this.#pages.set(page.path, page);
      return pages;
    });
  }

  /** Returns the page that `pagesOf` generated at this path, and what it shows. */
  pageAt(
    path: string,
  ): { page: ApiPageRef; target: ApiTarget; operation?: FoundOperation['operation'] } | undefined {
    const page = this.#pages.get(path);
    const document = page && this.#load(page.source);
    if (!page || !document) return undefined;
    const { source: description, method, route } = page;
    if (document.kind === 'asyncapi')
      return { page, target: { description, kind: 'channel', name: route } };
    const operation = findOperation([document], page)?.operation;
    return {
      page,
      target: { description, kind: 'operation', method, route },
      ...(operation && { operation }),
    };
  }

  /**
   * Resolves what the frontmatter of a page names; undefined if no description has it. @param file
   * the page's file, for messages
   */
  find(
    frontmatter: Frontmatter,
    file: string,
  ): { target: ApiTarget; operation?: FoundOperation['operation'] } | undefined {
    const { openapi, openapiSchema, asyncapi } = frontmatter;
    if (openapi !== undefined) return this.#findOperation(openapi, file);
    const find = (kind: 'schema' | 'channel', reference: string) => {
      const has = (document: ApiDocument, name: string) =>
        kind === 'schema' ? hasSchema(document, name) : channelOf(document, name) !== undefined;
      const match = this.#findNamed(
        kind === 'schema' ? 'openapi' : 'asyncapi',
        reference,
        file,
        has,
      );
      return match && { target: { description: match.document.file, kind, name: match.name } };
    };
    if (openapiSchema !== undefined) return find('schema', openapiSchema);
    return asyncapi === undefined ? undefined : find('channel', asyncapi);
  }

  /**
   * Returns the description that may have what the frontmatter of a page names and that could not
   * be read, which is reported elsewhere; undefined if there is none. @param file the page's file,
   * for messages
   */
  unreadFor({ openapi, openapiSchema, asyncapi }: Frontmatter, file: string): string | undefined {
    const kind = (openapi ?? openapiSchema) === undefined ? 'asyncapi' : 'openapi';
    const reference =
      openapi === undefined
        ? parseNameReference(openapiSchema ?? asyncapi ?? '')
        : parseOperationReference(openapi);
    if (!reference) return undefined;
    // Names of schemas and channels may contain spaces, so that their first word is not always a
    // file.
    const name =
      openapi !== undefined || /[./]/.test(reference.file ?? '') ? reference.file : undefined;
    if (name !== undefined && this.#filesOf(name, file).length === 0) {
      this.#reportAbsent(name, file);
      return name;
    }
    const set = this.#config.api[kind].flatMap((place) => this.#filesOf(place.source));
    const possible =
      name === undefined ? [...set, ...this.#addressesNamed()] : this.#filesOf(name, file);
    return possible.find((candidate) => !this.#load(candidate));
  }

  #findOperation(reference: string, file: string) {
    const operationReference = parseOperationReference(reference);
    if (!operationReference) return undefined;
    for (const { documents, isOther } of this.#places('openapi', operationReference.file, file)) {
      const match = findOperation(documents(), operationReference);
      if (!match) continue;
      const { document, operation } = match;
      const { method, route } = operation;
      this.#use(document);
      this.#show(document);
      if (isOther) this.#reportOther(operationReference.file, document, file);
      return {
        target: { description: document.file, kind: 'operation' as const, method, route },
        operation,
      };
    }
    return undefined;
  }

  #findNamed(
    kind: DescriptionFile['kind'],
    reference: string,
    file: string,
    has: (document: ApiDocument, name: string) => boolean,
  ): { document: ApiDocument; name: string } | undefined {
    const split = parseNameReference(reference);
    if (!split) return undefined;
    // A name may contain spaces without a description before it.
    const whole: NameReference = { name: reference.trim() };
    for (const nameReference of split.file === undefined ? [split] : [split, whole]) {
      for (const { documents, isOther } of this.#places(kind, nameReference.file, file)) {
        const document = documents().find((candidate) => has(candidate, nameReference.name));
        if (!document) continue;
        this.#use(document);
        if (isOther) this.#reportOther(nameReference.file, document, file);
        return { document, name: nameReference.name };
      }
    }
    return undefined;
  }

  /**
   * Locations to search, in order. `isOther`: not where the author says that it is.
   * @param page whose source comes first
   */
  *#places(kind: DescriptionFile['kind'], name: string | undefined, page: string) {
    const { sources } = this.#config;
    const isElsewhere = (file: string) =>
      Number(sourceRoot(sources, file) !== sourceRoot(sources, page));
    const read = (files: readonly string[], isNamed: boolean) => () => {
      const sorted = sources ? files.toSorted((a, b) => isElsewhere(a) - isElsewhere(b)) : files;
      const documents = sorted.values().map((file) => this.#load(file, isNamed));
      return documents.filter((document) => document !== undefined);
    };
    const isOther = name !== undefined;
    if (name !== undefined)
      yield { documents: read(this.#filesOf(name, page), true), isOther: false };
    const set = this.#config.api[kind].flatMap((place) => this.#filesOf(place.source));
    yield { documents: read(set, true), isOther };
    const all = this.#allFiles().filter((descriptionFile) => descriptionFile.kind === kind);
    yield {
      documents: read([...all.map(({ path }) => path), ...this.#addressesNamed()], false),
      isOther,
    };
  }

  #addressesNamed(): string[] {
    this.#addresses ??= addressesNamed(this.#config.navigation);
    return this.#addresses;
  }

  /**
   * Returns the files that a name refers to, in path order; a URL refers to itself.
   * @param page that refers to it: a file of its source comes first
   */
  #filesOf(name: string, page = ''): string[] {
    const plain = plainName(name);
    if (isOutside(plain)) return [plain];
    const root = sourceRoot(this.#config.sources, page);
    if (root !== '') {
      const files = this.#filesOf(inFolder(root, plain));
      if (files.length > 0) return files;
    }
    const exact = ['', '.json', '.yaml', '.yml']
      .map((ending) => plain + ending)
      .find((path) => this.#source.has(path));
    return exact === undefined ? filesNamed(this.#allFiles(), name) : [exact];
  }

  #allFiles(): readonly DescriptionFile[] {
    this.#files ??= findDescriptionFiles(this.#source, this.#isIgnored);
    return this.#files;
  }

  /**
   * @param isNamed whether the author refers to it; problems of others are reported once something
   *   of them is shown
   */
  #load(file: string, isNamed = true): ApiDocument | undefined {
    if (this.#documents.has(file)) return this.#documents.get(file);
    // Problems of a URL were reported where it was fetched.
    const parsed = parseOnce(this.#source, file);
    this.#documents.set(file, parsed?.document);
    const diagnostics = parsed?.diagnostics ?? [];
    // An unreadable file may be the one that a page refers to.
    if (isNamed || !parsed?.document) this.#diagnostics.push(...diagnostics);
    else this.#unsaid.set(file, diagnostics);
    return parsed?.document;
  }

  /** The folder of the pages of a description that nothing gives one. */
  #folderFor(file: string): string {
    return inFolder(sourceRoot(this.#config.sources, file), 'api-reference');
  }

  #show({ kind, file }: ApiDocument, directory = this.#folderFor(file)): void {
    if (kind === 'openapi' && !this.#shown.has(file))
      this.#shown.set(file, withoutSlashes(directory));
  }

  #use({ file }: ApiDocument): void {
    this.#diagnostics.push(...(this.#unsaid.get(file) ?? []));
    this.#unsaid.delete(file);
  }

  /** @param page the page that needs it; without one, the configuration does */
  #reportAbsent(name: string, page?: string): void {
    const plain = plainName(name);
    const place = page === undefined ? this.#placeOf(name) : { file: page };
    const absent = this.#absent.get(plain);
    const severity = page === undefined ? (absent?.severity ?? 'warning') : 'error';
    if (absent) {
      const { count = 1, places = [] } = absent;
      this.#absent.set(plain, {
        ...absent,
        severity,
        count: count + 1,
        places: [...places, place],
      });
      return;
    }
    this.#absent.set(plain, {
      severity,
      code: 'missing-file',
      message: `There is no API description ${plain}.`,
      remedy: didYouMean(this.#near.find(plain), 'Correct the path, or add the file.'),
      ...place,
    });
  }

  #reportOther(named: string | undefined, document: ApiDocument, file: string): void {
    this.#diagnostics.push({
      severity: 'warning',
      code: 'other-description',
      // Without the operation: so the same wrong name on many pages is one warning.
      message: `"${named}" does not have the operation of the page, which shows the one in ${document.file}.`,
      remedy: `Name "${document.file}", or omit the file.`,
      file,
      line: 1,
    });
  }

  /** The first place of the configuration that names a description. */
  #placeOf(name: string): SourcePlace {
    const file =
      ['docs.json', 'mint.json'].find((candidate) => this.#source.has(candidate)) ?? 'docs.json';
    const text = this.#source.readText(file) ?? '';
    const at = ['', '/', '../pages/']
      .map((start) => text.indexOf(`"${start}${name}"`))
      .find((offset) => offset >= 0);
    if (at === undefined) return { file };
    const before = text.slice(0, at);
    return { file, line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
  }
}
