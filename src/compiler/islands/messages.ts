import type { IslandCall, IslandModule, IslandOutcome, Look, PageNames } from '../../core/content/islands/island.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';

/** Request to the thread: the islands of one page. */
export interface PageRequest {
  type: 'page';
  id: number;
  calls: IslandCall[];
  page: PageNames;
  /** Numbers of calls to skip: they crashed a thread already. */
  banned: number[];
}

/** Answer to a module request. */
export interface ModuleAnswer {
  type: 'module';
  id: number;
  /** Undefined if the site has no such file, or the file contains no code. */
  file: string | undefined;
  module: IslandModule | undefined;
}

export type ToThread = PageRequest | ModuleAnswer;

/** A script that browsers load, and the calls in it by their number. */
export interface IslandScript {
  text: string;
  hash: string;
  calls: number[];
  /** How far the code looks into its content: the form of the props that the calls got. */
  look: Look;
}

export type FromThread =
  /** Requests the module that an import refers to; `file` alone requests that file. */
  | { type: 'find'; id: number; specifier: string; importer: string | undefined }
  /** Author code is about to run, for call `call` or all calls. The thread may not answer again. */
  | { type: 'running'; calls: number[] }
  | { type: 'idle' }
  | { type: 'page'; id: number; outcomes: IslandOutcome[]; scripts: IslandScript[]; diagnostics: Diagnostic[] };
