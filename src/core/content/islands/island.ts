import type { Diagnostic } from '../../diagnostics.ts';

/** The element that a component of the author is in: its first HTML from the build, made alive in the browser. */
export const ISLAND_TAG = 'docent-island';
/** Where such a component shows content that the page gave it. */
export const SLOT_TAG = 'docent-slot';
/** One of our own components inside of such a component. */
export const PART_TAG = 'docent-part';

/** One call of a component that only JavaScript can run. */
export interface IslandCall {
  /** File whose names the call uses. */
  file: string;
  /** JavaScript of a component that makes the call: `(props) => <Counter {...props} />`. */
  code: string;
  /** JSON of the props; see `island-list.ts`. */
  props: string;
}

/** Code of a file, its lines those of the file. */
export interface IslandModule {
  text: string;
  loader: 'jsx' | 'tsx' | 'ts' | 'json';
}

/** What a component may import: files of the site and nothing else. */
export interface IslandModules {
  /** The file of the site that an import means. */
  resolve(specifier: string, importer: string): string | undefined;
  /** The code of a file; undefined where it holds none. */
  read(file: string): IslandModule | undefined;
}

/** What one call became. */
export type IslandOutcome =
  | { kind: 'rendered'; tree: IslandTree }
  /** `browser`: whether the browser may still run it, at once or when the reader asks for it. */
  | { kind: 'failed'; reason: string; browser: 'runs' | 'asks' | 'never' };

/** What a component rendered: text, elements `[tag, attributes, children]`, slots by number, our own components. */
export type IslandTree = string | number | IslandTree[] | IslandElement;
export interface IslandElement {
  /** Name of an element, or of one of our components where `props` is there. */
  t: string;
  a?: Record<string, unknown>;
  /** Of one of our components: by this the browser finds it again. */
  key?: string;
  props?: Record<string, unknown>;
  c?: IslandTree[];
  /** Raw markup of `dangerouslySetInnerHTML`. */
  html?: string;
}

/** What the calls of one page became, in their order. */
export interface IslandBatch {
  outcomes: IslandOutcome[];
  /** The script that holds each call, and its name in there; undefined where the browser cannot run it. */
  places: ({ script: string; key: string } | undefined)[];
  /** Scripts for the browser by their place among the files of the build. */
  files: { path: string; text: string }[];
  diagnostics: Diagnostic[];
}

/** Runs the components of authors, at build time and without any access to the machine. */
export interface IslandSource {
  /** @returns never rejects for what an author wrote */
  render(calls: readonly IslandCall[], modules: IslandModules): Promise<IslandBatch>;
}
