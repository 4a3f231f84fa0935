import { fingerprintOf } from '../page-cache/recorder.ts';
import { type PageFile, readPageFile, readSiteModel, type SiteModel } from '../site/site-model.ts';
import type { SourceTree } from '../source/source-tree.ts';
import type { SourceChanges } from './dev-source.ts';

interface KnownPage {
  text: string;
  page: PageFile;
}

/**
 * Rereads the model of a site after each change, doing as little as that change requires. A model that would be equal is the same
 * object.
 */
export class ModelReader {
  readonly #pages = new Map<string, KnownPage>();
  /** Files that the model was built from. */
  #read = new Set<string>();
  #model: SiteModel | undefined;

  /**
   * Returns the current model of the site.
   * @param changes what changed since the last call; absent if unknown
   * @throws DocentError like `readSiteModel`; the next call rereads everything
   */
  read(source: SourceTree, changes: SourceChanges | undefined): SiteModel {
    const known = this.#model;
    if (known && changes && !this.#concerns(source, changes)) return known;
    this.#model = undefined;
    const read = new Set<string>();
    const model = readSiteModel(noting(source, read), (text, file) => this.#readPage(text, file));
    this.#read = read;
    this.#model = known && isSame(known, model) ? known : model;
    return this.#model;
  }

  #concerns(source: SourceTree, { changed, isListChanged }: SourceChanges): boolean {
    return isListChanged || [...changed].some((path) => this.#read.has(path) && !this.#isSamePage(source, path));
  }

  /** Returns whether the file is a page that contributes the same to the model as before. */
  #isSamePage(source: SourceTree, path: string): boolean {
    const known = this.#pages.get(path);
    const text = source.readText(path);
    return known !== undefined && text !== undefined && isSame(known.page, this.#readPage(text, path));
  }

  #readPage(text: string, file: string): PageFile {
    const known = this.#pages.get(file);
    if (known?.text === text) return known.page;
    const page = readPageFile(text, file);
    this.#pages.set(file, { text, page });
    return page;
  }
}

function noting(source: SourceTree, read: Set<string>): SourceTree {
  return {
    paths: () => source.paths(),
    has: (path) => source.has(path),
    readBytes(path) {
      read.add(path);
      return source.readBytes(path);
    },
    readText(path) {
      read.add(path);
      return source.readText(path);
    },
  };
}

function isSame(a: unknown, b: unknown): boolean {
  return fingerprintOf(a) === fingerprintOf(b);
}
