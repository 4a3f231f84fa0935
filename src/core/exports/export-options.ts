/** What an export holds and how it is made. The same content with the same options gives the same bytes. */
export interface ExportOptions {
  /** Label of the one version that goes in, with what belongs to no version; all where it is absent. */
  version?: string;
  /** Code of the one language that goes in, with what belongs to no language; all where it is absent. */
  language?: string;
  /** Paths of the pages that go in, as docs.json names them; all where it is absent. */
  paths?: string[];
  /** What a link to a page that is left out becomes: a link to the live site, or plain text. */
  omittedLinks: 'live' | 'text';
  /**
   * Where the bundle will be served, such as `/docs`; empty for the root of a domain or an unknown place. Pages find each other
   * without it; redirect files, `404.html` and the service's own rules are written with it.
   */
  basePath: string;
  /** Address of the assistant API that the pages of the bundle talk to; absent: no assistant is shown. */
  assistantUrl?: string;
  /** Address that the pages of the bundle send their events to; absent: nothing is sent. */
  analyticsUrl?: string;
}

/** The whole site, for any place. */
export const defaultExportOptions: ExportOptions = { omittedLinks: 'live', basePath: '' };
