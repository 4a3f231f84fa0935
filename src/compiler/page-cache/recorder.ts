import { AsyncLocalStorage } from 'node:async_hooks';
import type { SiteContext } from '../../core/content/site-context.ts';
import type { PagePlan, SiteModel } from '../site/site-model.ts';
import type { SourceTree } from '../source/source-tree.ts';
import { fingerprintOf } from './fingerprint.ts';

/** Questions about a site, each with the fingerprint of its answer. A question is JSON: what was asked, of what. */
export type Answers = ReadonlyMap<string, string>;

/** What was asked while something was made, by itself and by the tools that it used. */
interface Scope {
  asked: Map<string, string>;
  used: Set<Group>;
}

/** A tool that several pages share. What it has ever asked counts for every page that uses it. */
interface Group extends Scope {
  tool: object;
}

type AnyFunction = (...args: unknown[]) => unknown;

/**
 * Knows what each page of a site was made of. The compiler sees the site through a recorder only, and every question
 * that it asks is noted with its answer: a page is made of its answers. So a part of the compiler that reads something
 * new is covered without a word of its own.
 *
 * A recorder stays when the site changes (`begin`); tools whose answers stayed the same stay too.
 */
export class Recorder {
  /** The files of the site, recorded. */
  readonly source: SourceTree;
  readonly #scopes = new AsyncLocalStorage<Scope>();
  readonly #groups = new Map<string, Group>();
  /** Answers of the present site, each found once. */
  readonly #known = new Map<string, string>();
  /** What is asked outside of any page counts for all. */
  #base = emptyScope();
  #raw: { source: SourceTree; model: SiteModel; plans: ReadonlyMap<string, PagePlan> };
  #model: SiteModel;
  #site: SiteContext | undefined;

  constructor(source: SourceTree, model: SiteModel) {
    this.#raw = { source, model, plans: plansOf(model) };
    this.#model = this.#recordModel(model);
    this.source = {
      paths: () => this.#ask('source', 'paths', []) as readonly string[],
      readText: (path) => this.#ask('source', 'readText', [path]) as string | undefined,
      readBytes: (path) => this.#ask('source', 'readBytes', [path]) as Uint8Array | undefined,
      has: (path) => this.#ask('source', 'has', [path]) as boolean,
    };
  }

  /** The model of the site, recorded. */
  get model(): SiteModel {
    return this.#model;
  }

  /** The site itself, for what answers questions: what is read here is not noted. */
  get unrecorded(): { source: SourceTree; model: SiteModel } {
    return this.#raw;
  }

  /** The site has changed. No page may be in the making. */
  begin(source: SourceTree, model: SiteModel): void {
    this.#raw = { source, model, plans: plansOf(model) };
    this.#model = this.#recordModel(model);
    this.#site = undefined;
    this.#known.clear();
    this.#base = emptyScope();
    for (const [name, group] of this.#groups) if (!this.holds(answersOf([group]))) this.#groups.delete(name);
  }

  /** Says what pages may ask of the site. They get it by `siteContext`. */
  answerWith(site: SiteContext): void {
    this.#site = site;
  }

  /**
   * What one page may ask of the site, recorded. Each page gets an object of its own, so that what a part of the compiler
   * remembers for a site it remembers for the page alone, and asks again for the next.
   */
  siteContext(): SiteContext {
    const site = this.#site;
    if (!site) throw new Error('answerWith comes first');
    // What the page hands to a tool stays the page's, also where the tool asks later, from a thread's answer.
    const scope = this.#scopes.getStore();
    return new Proxy(site, {
      get: (_, name) => {
        if (name === 'config') return this.#model.config;
        const value: unknown = Reflect.get(site, name);
        if (typeof value !== 'function' || typeof name !== 'string') return value;
        return (...args: unknown[]) => this.#ask('site', name, args, scope);
      },
    });
  }

  /**
   * A tool that pages share, made once and kept while what it asked has the same answers.
   * @param make may read the site through this recorder, now and whenever the tool is called
   */
  group<Tool extends object>(name: string, make: () => Tool): Tool {
    const known = this.#groups.get(name);
    if (known) return this.#watch(known) as Tool;
    const scope = emptyScope();
    const group: Group = { ...scope, tool: this.#scopes.run(scope, make) };
    this.#groups.set(name, group);
    return this.#watch(group) as Tool;
  }

  /** Makes something for the page at this path, and returns what it was made of. */
  async record<Value>(pagePath: string, make: () => Promise<Value>): Promise<{ value: Value; answers: Answers }> {
    const scope = emptyScope();
    const value = await this.#scopes.run(scope, () => {
      this.#ask('plan', pagePath, []);
      return make();
    });
    return { value, answers: answersOf([this.#base, scope]) };
  }

  /** Whether the site still gives these answers. */
  holds(answers: Answers): boolean {
    for (const [question, fingerprint] of answers) if (this.#fingerprint(question) !== fingerprint) return false;
    return true;
  }

  #fingerprint(question: string): string {
    const known = this.#known.get(question);
    if (known !== undefined) return known;
    const [subject, name, args] = JSON.parse(question) as [string, string, unknown[]];
    const fingerprint = fingerprintOf(this.#answer(subject, name, args));
    if (subject !== 'site' || this.#site) this.#known.set(question, fingerprint);
    return fingerprint;
  }

  #ask(subject: string, name: string, args: readonly unknown[], scope = this.#scopes.getStore()): unknown {
    const answer = this.#answer(subject, name, args);
    const { asked } = scope ?? this.#base;
    const question = JSON.stringify([subject, name, args]);
    if (asked.has(question)) return answer;
    let fingerprint = this.#known.get(question);
    if (fingerprint === undefined) {
      // A question that does not survive as text cannot be asked again: a page that asked it is made anew each time.
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
        // Before anybody can answer, the answer is not known to be the same: a function is like nothing.
        return this.#site ? (this.#site as unknown as Record<string, AnyFunction>)[name]?.(...args) : () => {};
      case 'plan':
        return plans.get(name);
      case 'config':
        return name === '' ? model.config : Reflect.get(model.config, name);
      default:
        return name === '' ? model : Reflect.get(model, name);
    }
  }

  #recordModel(model: SiteModel): SiteModel {
    return this.#recordObject('model', model, new Map([['config', this.#recordObject('config', model.config)]]));
  }

  /**
   * Notes which members are read; listing them reads all.
   * @param inner members that note their own
   */
  #recordObject<Whole extends object>(subject: string, whole: Whole, inner = new Map<string, object>()): Whole {
    const noteAll = (): unknown => this.#ask(subject, '', []);
    return new Proxy(whole, {
      get: (_, name) => (typeof name === 'string' ? (inner.get(name) ?? this.#ask(subject, name, [])) : undefined),
      has: (_, name) => {
        noteAll();
        return Reflect.has(whole, name);
      },
      getOwnPropertyDescriptor: (_, name) => {
        noteAll();
        return Reflect.getOwnPropertyDescriptor(whole, name);
      },
      ownKeys: () => {
        noteAll();
        return Reflect.ownKeys(whole);
      },
    });
  }

  #watch(group: Group): object {
    return new Proxy(group.tool, {
      get: (tool, name) => {
        (this.#scopes.getStore() ?? this.#base).used.add(group);
        const value: unknown = Reflect.get(tool, name, tool);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => this.#scopes.run(group, () => Reflect.apply(value as AnyFunction, tool, args));
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
  return value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value);
}

/** All that scopes asked, with what the tools that they used asked. */
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
