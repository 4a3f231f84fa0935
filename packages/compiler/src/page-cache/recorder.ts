import { AsyncLocalStorage } from 'node:async_hooks';
import { hash, randomUUID } from 'node:crypto';
import type { SiteContext } from '@docent/format/content/page/page-content.ts';
import type { PagePlan } from '../site/page-plans.ts';
import type { SiteModel } from '../site/site-model.ts';
import type { Secret } from '../source/find-secrets.ts';
import type { SourceTree } from '../source/source-tree.ts';

/**
 * Queries about a site, each with the fingerprint of its answer. A query is JSON: the function and
 * its arguments.
 */
export type Answers = ReadonlyMap<string, string>;

/** The queries made while something was built, by itself and by the tools that it used. */
interface Scope {
  asked: Map<string, string>;
  used: Set<Group>;
}

/** A tool that several pages share. All of its queries count for every page that uses it. */
interface Group extends Scope {
  tool: object;
}

type AnyFunction = (...args: unknown[]) => unknown;

/**
 * Tracks the dependencies of each page of a site. The compiler sees the site only through a
 * recorder, which records every query with its answer: a page is a function of those answers. So a
 * part of the compiler that reads something new is covered without extra code.
 *
 * A recorder persists when the site changes (`begin`); so do tools whose answers are unchanged.
 */
export class Recorder {
  /** The files of the site, recorded. */
  readonly source: SourceTree;
  readonly #scopes = new AsyncLocalStorage<Scope>();
  readonly #groups = new Map<string, Group>();
  /** Answers of the current site, each computed once. */
  readonly #known = new Map<string, string>();
  /** Queries made outside of any page count for all pages. */
  #base = emptyScope();
  #raw: { source: SourceTree; model: SiteModel; plans: ReadonlyMap<string, PagePlan> };
  /** The model of the site, recorded. */
  model: SiteModel;
  #site: SiteContext | undefined;

  constructor(source: SourceTree, model: SiteModel) {
    this.#raw = { source, model, plans: plansOf(model) };
    this.model = this.#recordModel(model);
    this.source = {
      paths: () => this.#ask('source', 'paths', []) as readonly string[],
      readText: (path) => this.#ask('source', 'readText', [path]) as string | undefined,
      readBytes: (path) => this.#ask('source', 'readBytes', [path]) as Uint8Array | undefined,
      has: (path) => this.#ask('source', 'has', [path]) as boolean,
      secretsIn: (path) => this.#ask('source', 'secretsIn', [path]) as Secret[],
    };
  }

  /** The site itself, for answering queries: reads are not recorded. */
  get unrecorded(): { source: SourceTree; model: SiteModel } {
    return this.#raw;
  }

  /** Called when the site has changed. No page may be in progress. */
  begin(source: SourceTree, model: SiteModel): void {
    this.#raw = { source, model, plans: plansOf(model) };
    this.model = this.#recordModel(model);
    this.#site = undefined;
    this.#known.clear();
    this.#base = emptyScope();
    for (const [name, group] of this.#groups)
      if (!this.holds(answersOf([group]))) this.#groups.delete(name);
  }

  /** Defines what pages may query of the site. They get it from `siteContext`. */
  answerWith(site: SiteContext): void {
    this.#site = site;
  }

  /**
   * Returns what one page may query of the site, recorded. Each page gets its own object, so that
   * anything that the compiler caches per site is cached for this page only, and queried again for
   * the next.
   */
  siteContext(): SiteContext {
    const site = this.#site;
    if (!site) throw new Error('answerWith comes first');
    // An object that the page passes to a tool stays attributed to the page, even if the tool
    // queries it later.
    const scope = this.#scopes.getStore();
    return new Proxy(site, {
      get: (_, name) => {
        if (name === 'config') return this.model.config;
        const value: unknown = Reflect.get(site, name);
        if (typeof value !== 'function' || typeof name !== 'string') return value;
        return (...args: unknown[]) => this.#ask('site', name, args, scope);
      },
    });
  }

  /**
   * Returns a tool that pages share, created once and kept while its queries have the same answers.
   * @param make may read the site through this recorder, now and whenever the tool is called
   */
  group<Tool extends object>(name: string, make: () => Tool): Tool {
    const cachedGroup = this.#groups.get(name);
    if (cachedGroup) return this.#watch(cachedGroup) as Tool;
    const scope = emptyScope();
    const group: Group = { ...scope, tool: this.#scopes.run(scope, make) };
    this.#groups.set(name, group);
    return this.#watch(group) as Tool;
  }

  /** Builds something for the page at this path, and returns its dependencies. */
  async record<Value>(
    pagePath: string,
    make: () => Promise<Value>,
  ): Promise<{ value: Value; answers: Answers }> {
    const scope = emptyScope();
    const value = await this.#scopes.run(scope, () => {
      this.#ask('plan', pagePath, []);
      return make();
    });
    return { value, answers: answersOf([this.#base, scope]) };
  }

  /** Returns whether the site still gives these answers. */
  holds(answers: Answers): boolean {
    for (const [question, fingerprint] of answers)
      if (this.#fingerprint(question) !== fingerprint) return false;
    return true;
  }

  #fingerprint(question: string): string {
    const cachedFingerprint = this.#known.get(question);
    if (cachedFingerprint !== undefined) return cachedFingerprint;
    const [subject, name, args] = JSON.parse(question) as [string, string, unknown[]];
    const fingerprint =
      this.#ofCleanText(subject, name, args) ?? fingerprintOf(this.#answer(subject, name, args));
    if (subject !== 'site' || this.#site) this.#known.set(question, fingerprint);
    return fingerprint;
  }

  /** The fingerprint of what a page was read as before, without reading it again. */
  #ofCleanText(subject: string, name: string, [path]: unknown[]): string | undefined {
    const text = subject === 'source' ? this.#raw.source.cleanText?.(path as string) : undefined;
    if (text === undefined || text.length <= MAX_PLAIN_LENGTH) return undefined;
    if (name === 'readText') return text.sha256;
    return name === 'secretsIn' ? NO_SECRETS : undefined;
  }

  #ask(
    subject: string,
    name: string,
    args: readonly unknown[],
    scope = this.#scopes.getStore(),
  ): unknown {
    const answer = this.#answer(subject, name, args);
    const { asked } = scope ?? this.#base;
    const question = JSON.stringify([subject, name, args]);
    if (asked.has(question)) return answer;
    let fingerprint = this.#known.get(question);
    if (fingerprint === undefined) {
      // A query that cannot be serialized cannot be repeated: a page that made it is rebuilt each
      // time.
      fingerprint = fingerprintOf(args.every(isPlain) ? answer : () => answer);
      this.#known.set(question, fingerprint);
    }
    asked.set(question, fingerprint);
    return answer;
  }

  #answer(subject: string, name: string, args: readonly unknown[]): unknown {
    const { source, model, plans } = this.#raw;
    switch (subject) {
      case 'source':
        return (source as unknown as Record<string, AnyFunction>)[name]?.(...args);
      case 'site':
        // Before the query can be answered, the answer counts as different: a function equals
        // nothing.
        return this.#site
          ? (this.#site as unknown as Record<string, AnyFunction>)[name]?.(...args)
          : () => {};
      case 'plan':
        return plans.get(name);
      case 'config':
        return name === '' ? model.config : Reflect.get(model.config, name);
      default:
        return name === '' ? model : Reflect.get(model, name);
    }
  }

  #recordModel(model: SiteModel): SiteModel {
    return this.#recordObject(
      'model',
      model,
      new Map([['config', this.#recordObject('config', model.config)]]),
    );
  }

  /**
   * Records which members are read; listing them reads all.
   * @param inner members that record their own reads
   */
  #recordObject<Whole extends object>(
    subject: string,
    whole: Whole,
    inner = new Map<string, object>(),
  ): Whole {
    const noted =
      <Answer>(read: (whole: Whole, name: PropertyKey) => Answer) =>
      (_: Whole, name: PropertyKey = '') => {
        this.#ask(subject, '', []);
        return read(whole, name);
      };
    return new Proxy(whole, {
      get: (_, name) =>
        typeof name === 'string' ? (inner.get(name) ?? this.#ask(subject, name, [])) : undefined,
      has: noted(Reflect.has),
      getOwnPropertyDescriptor: noted(Reflect.getOwnPropertyDescriptor),
      ownKeys: noted(Reflect.ownKeys),
    });
  }

  #watch(group: Group): object {
    return new Proxy(group.tool, {
      get: (tool, name) => {
        (this.#scopes.getStore() ?? this.#base).used.add(group);
        const value: unknown = Reflect.get(tool, name, tool);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) =>
          this.#scopes.run(group, () => Reflect.apply(value as AnyFunction, tool, args));
      },
    });
  }
}

function emptyScope(): Scope {
  return { asked: new Map(), used: new Set() };
}

function plansOf(model: SiteModel): Map<string, PagePlan> {
  return new Map(model.pages.map((page) => [page.path, page]));
}

function isPlain(value: unknown): boolean {
  return (
    value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value)
  );
}

/** All queries of these scopes, with those of the tools that they used. */
function answersOf(scopes: readonly Scope[]): Map<string, string> {
  const answers = new Map<string, string>();
  const seen = new Set<Scope>();
  const add = (scope: Scope) => {
    if (seen.has(scope)) return;
    seen.add(scope);
    for (const [question, fingerprint] of scope.asked) answers.set(question, fingerprint);
    for (const group of scope.used) add(group);
  };
  scopes.forEach(add);
  return answers;
}

const MAX_PLAIN_LENGTH = 40;

/**
 * Returns a text that is equal only for equal answers. Values that cannot be compared (a function,
 * a promise, a cycle) get a new text every time, so that nothing that depends on them ever counts
 * as unchanged.
 */
export function fingerprintOf(answer: unknown): string {
  if (answer === undefined) return 'none';
  if (typeof answer === 'boolean' || answer === null) return String(answer);
  if (answer instanceof Uint8Array) return `bytes ${hash('sha256', answer, 'base64url')}`;
  if (typeof answer === 'string')
    return answer.length <= MAX_PLAIN_LENGTH ? `"${answer}` : hash('sha256', answer, 'base64url');
  try {
    return `json ${hash('sha256', JSON.stringify(answer, comparable), 'base64url')}`;
  } catch {
    return `unlike ${randomUUID()}`;
  }
}

/**
 * JSON supports neither maps nor sets; it drops functions and promises, which would make different
 * values equal.
 */
function comparable(_key: string, value: unknown): unknown {
  if (typeof value === 'function' || value instanceof Promise || value instanceof WeakMap)
    throw new TypeError('not comparable');
  if (value instanceof Map) return { map: [...value] };
  if (value instanceof Set) return { set: [...value] };
  return value;
}

const NO_SECRETS = fingerprintOf([]);
