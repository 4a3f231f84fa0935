import { webAddress } from '../docs-json/settings/repository.ts';

/**
 * The commit that a source was made from, as its publisher describes it. Every text is one line
 * without control characters.
 */
export interface Commit {
  /** Empty if it was not sent, like the other texts. */
  sha: string;
  /** Branch or tag. */
  ref: string;
  /** The first line of its message. */
  message: string;
  author: string | null;
  /** ISO 8601. */
  committedAt: string | null;
  /** Web address of the repository. */
  repository: string | null;
  filesChanged: FilesChanged;
}

/** What a deployment of a site of several sources has of one. */
export interface GitPart {
  sourceId: string;
  /** Where its pages are; empty for the base. */
  path: string;
  /** Full name of what is fetched. */
  ref: string;
  /** Absent until it is fetched. */
  commit?: Commit | null;
}

export interface FilesChanged {
  added: string[];
  modified: string[];
  removed: string[];
}

/** A commit as it is sent: any part may be missing, and none is trusted. */
export type SentCommit = {
  [Part in Exclude<keyof Commit, 'filesChanged'>]?: string | undefined;
} & {
  [Kind in keyof FilesChanged]?: readonly string[] | undefined;
};

/** How a source got to the server. */
export const DEPLOYMENT_SOURCES = ['upload', 'cli', 'api', 'dashboard', 'git'] as const;
export type DeploymentSource = (typeof DEPLOYMENT_SOURCES)[number];

const MAX_MESSAGE = 300;
const MAX_NAME = 250;
const MAX_PATH = 500;
export const MAX_FILES_CHANGED = 300;

/** What could break a line, hide text or reverse its direction on a page or in a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/**
 * Returns a text as one line: the first that is not empty, without unprintable characters, cut to
 * `maxCharacters`.
 */
export function oneLine(text: string, maxCharacters: number): string {
  const [line = ''] = text
    .slice(0, maxCharacters * 8)
    .trim()
    .split(/[\r\n]/, 1);
  const printable = line.replace(UNPRINTABLE, ' ').replace(/ {2,}/g, ' ').trim();
  const characters = [...printable];
  return characters.length <= maxCharacters
    ? printable
    : `${characters
        .slice(0, maxCharacters - 1)
        .join('')
        .trimEnd()}…`;
}

/**
 * Reads a commit from outside; parts that cannot be right are left out.
 * @returns null if nothing in it says which commit it is
 */
export function readCommit(sent: SentCommit): Commit | null {
  const sha = /^[0-9a-f]{7,64}$/i.test(sent.sha ?? '') ? (sent.sha ?? '').toLowerCase() : '';
  const ref = oneLine(sent.ref ?? '', MAX_NAME);
  const message = oneLine(sent.message ?? '', MAX_MESSAGE);
  const author = oneLine(sent.author ?? '', MAX_NAME) || null;
  if (sha === '' && ref === '' && message === '' && author === null) return null;
  return {
    sha,
    ref,
    message,
    author,
    committedAt: readTime(sent.committedAt),
    repository: readAddress(sent.repository),
    filesChanged: {
      added: pathsOf(sent.added),
      modified: pathsOf(sent.modified),
      removed: pathsOf(sent.removed),
    },
  };
}

function readTime(text: string | undefined): string | null {
  const time = Date.parse(text ?? '');
  const date = new Date(time);
  return Number.isNaN(time) || date.getUTCFullYear() < 1970 || date.getUTCFullYear() > 9999
    ? null
    : date.toISOString();
}

function readAddress(text: string | undefined): string | null {
  const address = webAddress(text ?? '');
  return address !== undefined && address === oneLine(address, 2 * MAX_PATH) ? address : null;
}

function pathsOf(paths: readonly string[] = []): string[] {
  return paths
    .slice(0, MAX_FILES_CHANGED)
    .map((path) => oneLine(path, MAX_PATH))
    .filter(Boolean);
}
