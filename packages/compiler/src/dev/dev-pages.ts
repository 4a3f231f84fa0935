import { setImmediate as nextTurn } from 'node:timers/promises';
import { TermReader } from '@docent/search/load/page-terms.ts';
import { fingerprintOf, Recorder } from '../page-cache/recorder.ts';
import { createPageCompiler } from '../pages/compile-site-page.ts';
import type { PagePack } from '../pages/page-pack.ts';
import { isRepeatable, type PageResult, toPageResult } from '../pages/page-result.ts';
import type { PagePlan } from '../site/page-plans.ts';
import { type PageFile, readPageFile, readSiteModel, type SiteModel } from '../site/site-model.ts';
import { type SourceTree, watchReads } from '../source/source-tree.ts';
import type { SourceChanges } from './dev-source.ts';

/**
 * The compiled pages of a site that changes. Each is compiled on request, and again only if
 * something that it depends on has changed. Nothing is compiled while the site changes.
 */
export class DevPages {
  readonly #results = new Map<string, PageResult>();
  /** Pages that are known to be up to date. */
  readonly #right = new Set<string>();
  readonly #reader = new TermReader();
  readonly #plans = new Map<string, PagePlan>();
  #recorder: Recorder | undefined;
  #compile: ReturnType<typeof createPageCompiler> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;
  #round = 0;
  /** The pages of the last build; gone once all pages were compiled and stored for the next one. */
  #pack: PagePack | undefined;

  /** @param pack closed when all pages are compiled */
  constructor(pack?: PagePack) {
    this.#pack = pack;
  }

  /** Runs `change`, which may change the source, while no page is being compiled. */
  async whileResting<Value>(change: () => Promise<Value>): Promise<Value> {
    this.#round++;
    return this.#inTurn(change);
  }

  /** Marks the site as changed. Only inside `whileResting`. */
  begin(source: SourceTree, model: SiteModel): void {
    if (this.#recorder) this.#recorder.begin(source, model);
    else this.#recorder = new Recorder(source, model);
    this.#compile = createPageCompiler(this.#recorder);
    this.#right.clear();
    this.#plans.clear();
    for (const page of model.pages) this.#plans.set(page.path, page);
    for (const path of this.#results.keys()) if (!this.#plans.has(path)) this.#results.delete(path);
  }

  /** Returns the up-to-date page at this path, or undefined if there is none. */
  async get(path: string): Promise<PageResult | undefined> {
    this.#asked++;
    try {
      return await this.#inTurn(() => this.#make(path));
    } finally {
      this.#asked--;
    }
  }

  /** The pages compiled so far; some may be from before the last change. */
  known(): IterableIterator<PageResult> {
    return this.#results.values();
  }

  /** Returns what is known of a page without waiting for it. */
  peek(path: string): PageResult | undefined {
    return this.#results.get(path);
  }

  /** Brings all pages up to date while no reader waits. Ends early when the site changes again. */
  async makeAll(): Promise<boolean> {
    const round = ++this.#round;
    for (const path of [...this.#plans.keys()]) {
      if (this.#right.has(path)) continue;
      do await nextTurn();
      while (this.#asked > 0 && round === this.#round);
      if (round !== this.#round) return false;
      await this.#inTurn(() => this.#make(path));
    }
    if (round !== this.#round) return false;
    this.#pack?.write();
    this.#pack = undefined;
    return true;
  }

  async #make(path: string): Promise<PageResult | undefined> {
    const plan = this.#plans.get(path);
    if (!plan || !this.#recorder || !this.#compile) return undefined;
    const cachedResult = this.#results.get(path) ?? this.#storedResult(path);
    if (cachedResult && (this.#right.has(path) || this.#recorder.holds(cachedResult.answers))) {
      this.#results.set(path, cachedResult);
      this.#right.add(path);
      return cachedResult;
    }
    const result = toPageResult(0, path, await this.#compile(plan), this.#reader);
    if (isRepeatable(result)) this.#pack?.keep(path, result);
    this.#results.set(path, result);
    this.#right.add(path);
    return result;
  }

  /** With its content, which the pack cannot give any more once it is closed. */
  #storedResult(path: string): PageResult | undefined {
    const result = this.#pack?.find(path);
    return result && { ...result };
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => {});
    return done;
  }
}

/**
 * Rereads the model of a site after each change, doing as little as that change requires. A model
 * that would be equal is the same object.
 */
export class ModelReader {
  readonly #pages = new Map<string, { text: string; page: PageFile }>();
  /** Files that the model was built from. */
  #read = new Set<string>();
  #model: SiteModel | undefined;
  readonly #groups: readonly string[] | undefined;

  /** @param groups those of the reader whose pages the site has; absent: pages for everybody */
  constructor(groups?: readonly string[]) {
    this.#groups = groups;
  }

  /**
   * Returns the current model of the site.
   * @param changes what changed since the last call; absent if unknown
   * @throws DocentError like `readSiteModel`; the next call rereads everything
   */
  read(source: SourceTree, changes: SourceChanges | undefined): SiteModel {
    const previousModel = this.#model;
    if (previousModel && changes && !this.#concerns(source, changes)) return previousModel;
    this.#model = undefined;
    const read = new Set<string>();
    const model = readSiteModel(
      watchReads(source, (path) => read.add(path)),
      (text, file) => this.#readPage(text, file),
      this.#groups,
    );
    this.#read = read;
    this.#model = previousModel && isSame(previousModel, model) ? previousModel : model;
    return this.#model;
  }

  #concerns(source: SourceTree, { changed, isListChanged }: SourceChanges): boolean {
    return (
      isListChanged ||
      [...changed].some((path) => this.#read.has(path) && !this.#isSamePage(source, path))
    );
  }

  /** Returns whether the file is a page that contributes the same to the model as before. */
  #isSamePage(source: SourceTree, path: string): boolean {
    const cacheEntry = this.#pages.get(path);
    const text = source.readText(path);
    return (
      cacheEntry !== undefined &&
      text !== undefined &&
      isSame(cacheEntry.page, this.#readPage(text, path))
    );
  }

  #readPage(text: string, file: string): PageFile {
    const cacheEntry = this.#pages.get(file);
    if (cacheEntry?.text === text) return cacheEntry.page;
    const page = readPageFile(text, file);
    this.#pages.set(file, { text, page });
    return page;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return fingerprintOf(a) === fingerprintOf(b);
}
