import { createHash, type Hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { programVersion } from '@docent/compiler/process/program-version.ts';
import {
  type FolderFiles,
  openFolderFiles,
  type SourcePart,
} from '@docent/compiler/source/folder-files.ts';
import type { Severities } from '@docent/format/check/severities.ts';
import type { ExportAudience, ExportOptions } from '@docent/format/exports/export-options.ts';
import { isObject } from '@docent/format/json-value.ts';
import { contentDate, gitFactsOf } from '@docent/server/start/git-facts.ts';
import type { BundleForm } from './finished-bundle.ts';
import { openLocalSources, type SourceFlag } from './local-sources.ts';

/** Flags of the commands that create a bundle. */
export interface ExportFlags {
  siteVersion?: string;
  language?: string;
  page?: string[];
  audience?: ExportAudience;
  omittedLinks: ExportOptions['omittedLinks'];
  basePath: string;
  assistantUrl?: string;
  analyticsUrl?: string;
}

export interface BuildCommandOptions extends ExportFlags, SourceFlag {
  out: string;
  /** `false`: nothing of the last build is used, and nothing of this one kept. */
  cache?: boolean;
  /** `false`: nothing is fetched from the network. */
  fetch?: boolean;
  /** Fail on warnings, and then write nothing. */
  strict?: boolean;
  /** Severities by code; they take precedence over those of docs.json. */
  rule?: Severities;
  /** Absolute address of the published site, for canonical links and the sitemap. */
  origin: string;
}

/** What a bundle of a folder depends on, besides what its build fetches. */
export interface BundleInputs {
  root: string;
  gitFacts: string | undefined;
  parts: SourcePart[];
  /** As `contentDate` returns it. */
  createdAt: Date | undefined;
  /** Names the folder and the options, whatever the files contain. */
  name: string;
  /** Names the program, and what else it sees besides the files; empty with `--no-cache`. */
  program: string;
  /**
   * Names all inputs by their content: the same key, the same bundle. Undefined if a file cannot be
   * read, and with `--no-cache`.
   */
  key: string | undefined;
  /** Returns whether nothing has changed since the inputs were read. */
  areSame(): boolean;
}

/**
 * Reads the inputs of a bundle. This is the only place that decides what they are: the command gives
 * its build nothing else, and takes no finished bundle whose key is another.
 * @throws DocentError `invalid_setting`
 */
export async function readBundleInputs(
  root: string,
  form: BundleForm,
  { out: _, cache, strict: __, source, ...options }: BuildCommandOptions,
  env: NodeJS.ProcessEnv,
): Promise<BundleInputs> {
  const date = contentDate(root);
  const [gitFacts, createdAt, parts] = await Promise.all([
    gitFactsOf(root, date),
    date,
    openLocalSources({ source }, root),
  ]);
  const inputs = { root, gitFacts, parts, createdAt };
  const name = JSON.stringify([root, form, withoutCommandOptions(options), source]);
  if (cache === false)
    return { ...inputs, name, program: '', key: undefined, areSame: () => false };
  const program = JSON.stringify([programVersion(), surroundings(env)]);
  const listed = () => openFolderFiles(root, gitFacts, parts);
  try {
    const day = currentDay(inputs);
    const files = listed();
    const state = stateOf(files);
    const hash = createHash('sha256').update(
      JSON.stringify([name, program, day, createdAt, gitFacts, parts]),
    );
    addFiles(hash, files);
    const areSame = () => {
      try {
        return currentDay(inputs) === day && stateOf(listed()) === state;
      } catch {
        return false;
      }
    };
    return { ...inputs, name, program, key: hash.digest('hex'), areSame };
  } catch {
    // The build says what is wrong with the file.
    return { ...inputs, name, program, key: undefined, areSame: () => false };
  }
}

/** Options that say how the command prints, or what it makes of the bundle. */
function withoutCommandOptions(options: object): object {
  return { ...options, json: undefined, signingKey: undefined };
}

/**
 * The day, where components take it for that of the content (`contentDay`), because nothing else is
 * known of its age.
 */
function currentDay({
  gitFacts,
  parts,
}: Pick<BundleInputs, 'gitFacts' | 'parts'>): string | undefined {
  const texts = [gitFacts, ...parts.map((part) => part.gitFacts)];
  return texts.every(hasDay) ? undefined : new Date().toISOString().slice(0, 10);
}

function hasDay(gitFacts: string | undefined): boolean {
  if (gitFacts === undefined) return false;
  const facts: unknown = JSON.parse(gitFacts);
  return isObject(facts) && typeof facts.day === 'string';
}

/** What a build sees of the environment, and of the machine. */
function surroundings(env: NodeJS.ProcessEnv) {
  const { DOCENT_FETCH_REMOTE, DOCENT_ALLOWED_PRIVATE_RANGES, NODE_OPTIONS, NODE_ICU_DATA } = env;
  const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return {
    settings: [DOCENT_FETCH_REMOTE, DOCENT_ALLOWED_PRIVATE_RANGES, NODE_OPTIONS, NODE_ICU_DATA],
    machine: [process.versions, process.platform, process.arch, locale, timeZone],
  };
}

/** The content of the files, by path, and where links lead. */
function addFiles(hash: Hash, files: FolderFiles): void {
  for (const path of files.paths) {
    const bytes = files.readBytes(path);
    const place = files.hasLinks ? files.placeOf(path) : undefined;
    hash.update(JSON.stringify([path, place, bytes?.byteLength]));
    if (bytes) hash.update(bytes);
  }
}

/** Changes if any file is written, even with what it contained before. */
function stateOf(files: FolderFiles): string {
  const states = files.paths.map((path) => {
    const place = files.hasLinks ? files.placeOf(path) : files.listedAt(path);
    const info = place && statSync(place, { bigint: true, throwIfNoEntry: false });
    return info ? [path, place, info.ino, info.size, info.mtimeNs, info.ctimeNs].join(' ') : path;
  });
  return states.join('\n');
}
