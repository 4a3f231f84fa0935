/**
 * Whose pages an export has: those that everybody may read, all, or those that a reader with any of
 * these groups may read.
 */
export type ExportAudience = 'public' | 'all' | { groups: string[] };

/**
 * The contents and form of an export. The same content with the same options gives the same bytes.
 */
export interface ExportOptions {
  /** Label of the one version to include, with pages of no version; all if absent. */
  version?: string;
  /** Absent: `public`. */
  audience?: ExportAudience;
  /** Code of the one language to include, with pages of no language; all if absent. */
  language?: string;
  /** Paths of the pages to include, as in docs.json; all if absent. */
  paths?: string[];
  /** How links to excluded pages are rendered: as a link to the live site, or as plain text. */
  omittedLinks: 'live' | 'text';
  /**
   * Base path of the bundle, such as `/docs`; empty for the root of a domain or an unknown
   * location. Links between pages work without it; redirect files, `404.html` and the hosting rules
   * depend on it.
   */
  basePath: string;
  /** URL of the assistant API for the pages of the bundle; absent: no assistant is shown. */
  assistantUrl?: string;
  /** URL that the pages of the bundle send their events to; absent: nothing is sent. */
  analyticsUrl?: string;
}

/**
 * The forms of an archive, by the ending of its name. A `.tar.zst` of many pages takes two
 * thirds of the size; `tar` reads both.
 */
export const archiveForms = ['tar.gz', 'tar.zst'] as const;
export type ArchiveForm = (typeof archiveForms)[number];

/** Returns the form of the archive with that name. */
export function archiveFormOf(name: string): ArchiveForm {
  return name.endsWith('.zst') ? 'tar.zst' : 'tar.gz';
}

/**
 * What a job exports, and as which archive. The form is no part of the bundle: its files are the
 * same.
 */
export interface ExportJobOptions extends ExportOptions {
  /** Absent: `tar.gz`. */
  archive?: ArchiveForm;
}

/** The whole site, for any location. */
export const defaultExportOptions: ExportOptions = { omittedLinks: 'live', basePath: '' };

const MAX_CHARACTERS = 2000;
/** Scheme, ASCII host, port, and the rest; no user. */
const WEB_ADDRESS =
  /^https?:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?].*)?$/i;

/**
 * Returns whether the pages of a bundle may send requests to an address: an absolute URL (http or
 * https, without user and fragment), or a path from the root of the site.
 */
export function isEndpointAddress(text: string): boolean {
  if (text.length > MAX_CHARACTERS || /[\s\\<>"'`\u0000-\u001f]/.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//') && !text.includes('#');
  return WEB_ADDRESS.test(text) && !text.includes('#');
}
