import { setImmediate as nextTurn } from 'node:timers/promises';
import { Recorder } from '../page-cache/recorder.ts';
import { createPageCompiler } from '../pages/compile-site-page.ts';
import { type PageResult, toPageResult } from '../pages/page-result.ts';
import type { PagePlan, SiteModel } from '../site/site-model.ts';
import type { SourceTree } from '../source/source-tree.ts';

/**
 * The compiled pages of a site that changes. Each is compiled on request, and again only if something that it depends on has
 * changed. Nothing is compiled while the site changes.
 */
export class DevPages {
  readonly #results = new Map<string, PageResult>();
  /** Pages that are known to be up to date. */
  readonly #right = new Set<string>();
  readonly #plans = new Map<string, PagePlan>();
  #recorder: Recorder | undefined;
  #compile: ReturnType<typeof createPageCompiler> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;
  #round = 0;

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
    return round === this.#round;
  }

  async #make(path: string): Promise<PageResult | undefined> {
    const plan = this.#plans.get(path);
    if (!plan || !this.#recorder || !this.#compile) return undefined;
    const known = this.#results.get(path);
    if (known && (this.#right.has(path) || this.#recorder.holds(known.answers))) {
      this.#right.add(path);
      return known;
    }
    const made = toPageResult(0, await this.#compile(plan));
    this.#results.set(path, made);
    this.#right.add(path);
    return made;
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => {});
    return done;
  }
}
