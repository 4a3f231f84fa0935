import type { IslandCall, IslandModule, IslandOutcome } from '../../core/content/islands/island.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';

/** What the thread is asked for: the islands of one page. */
export interface PageRequest {
  type: 'page';
  id: number;
  calls: IslandCall[];
  /** Numbers of calls that are not to run: they ended a thread already. */
  banned: number[];
}

/** Answer to a question for a module. */
export interface ModuleAnswer {
  type: 'module';
  id: number;
  /** Undefined where the site has no such file, or it holds no code. */
  file: string | undefined;
  module: IslandModule | undefined;
}

export type ToThread = PageRequest | ModuleAnswer;

/** A script that browsers load, and the calls in it by their number. */
export interface IslandScript {
  text: string;
  hash: string;
  calls: number[];
}

export type FromThread =
  /** Asks for the module that an import means; `file` alone asks for that file. */
  | { type: 'find'; id: number; specifier: string; importer: string | undefined }
  /** Code of an author is about to run, for call `call` or all calls. The thread may not answer any more. */
  | { type: 'running'; calls: number[] }
  | { type: 'idle' }
  | { type: 'page'; id: number; outcomes: IslandOutcome[]; scripts: IslandScript[]; diagnostics: Diagnostic[] };
