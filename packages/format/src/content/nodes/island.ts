import type { Diagnostic } from '../../diagnostics.ts';

/** The element around an author's component: HTML from the build, hydrated in the browser. */
export const ISLAND_TAG = 'docent-island';
/** Where such a component shows content of the page. */
export const SLOT_TAG = 'docent-slot';
/** A built-in component inside such a component. */
export const PART_TAG = 'docent-part';

/** One call of a component that only JavaScript can run. */
export interface IslandCall {
  /** File that provides the names used by the call. */
  file: string;
  /** JavaScript of a component that makes the call: `(props) => <Counter {...props} />`. */
  code: string;
  /**
   * JavaScript of a list: the components called in the content, each with the props that are code.
   */
  types: string;
  /**
   * The props, for code that looks into its content not at all, at the props of its pieces, or at
   * their components; see `Look`.
   */
  forms: readonly IslandForm[];
}

/** How far the code of a page looks into the content that it is given. */
export type Look = 0 | 1 | 2;

/** The props of a call in one form. */
export interface IslandForm {
  /** JSON of the props; see `island-list.ts`. */
  json: string;
  /** The calls in the content of each slot, by their number on the page. */
  inside: readonly (readonly number[])[];
  /** The calls that are among the props themselves: this call renders them. */
  own: readonly number[];
}

/** The form for code that looks so far, or the fullest that there is. */
export function formFor<Form>(forms: readonly Form[], look: Look): Form {
  return forms[Math.min(look, forms.length - 1)] as Form;
}

/** Code of a file, with the file's line numbers. */
export interface IslandModule {
  text: string;
  loader: 'jsx' | 'tsx' | 'ts' | 'json';
}

/** The names that a page imports and defines, which its snippets may use too. */
export interface PageNames {
  file: string;
  names: readonly string[];
}

/** What a component may import: files of the site and nothing else. */
export interface IslandModules {
  readonly page: PageNames;
  /** What `Date` returns while they are rendered: `2026-11-02`. */
  readonly day: string;
  resolve(specifier: string, importer: string): string | undefined;
  /** Returns the code of a file; undefined if it contains none. */
  read(file: string): IslandModule | undefined;
}

/** The result of one call. */
export type IslandOutcome =
  /** `isGuess`: it asked a browser that knows nothing, so the reader's browser renders it again. */
  | { kind: 'rendered'; tree: IslandTree; isGuess?: true }
  /** `browser`: whether the browser may still run it, immediately or on request of the reader. */
  | { kind: 'failed'; reason: string; browser: 'runs' | 'asks' | 'never' };

/**
 * The output of a component: text, elements `[tag, attributes, children]`, slots by number,
 * built-in components.
 */
export type IslandTree = string | number | IslandTree[] | IslandElement;
export interface IslandElement {
  /** Name of an element, or of a built-in component if `props` is present. */
  t: string;
  a?: Record<string, unknown>;
  /** Of a built-in component: identifies it in the browser. */
  key?: string;
  props?: Record<string, unknown>;
  c?: IslandTree[];
  /** Raw markup of `dangerouslySetInnerHTML`. */
  html?: string;
}

/** The results of the calls of one page, in order. */
export interface IslandBatch {
  outcomes: IslandOutcome[];
  /**
   * The script that contains each call, and its name there; undefined if the browser cannot run it.
   */
  places: ({ script: string; key: string; look: Look } | undefined)[];
  /** Scripts for the browser by their path in the build. */
  files: { path: string; text: string }[];
  diagnostics: Diagnostic[];
}

/** Runs authors' components at build time, without access to the machine. */
export interface IslandSource {
  /** @returns never rejects because of an author's code */
  render(calls: readonly IslandCall[], modules: IslandModules): Promise<IslandBatch>;
}
