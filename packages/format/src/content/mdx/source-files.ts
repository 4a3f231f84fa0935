import type { SiteConfig } from '../../docs-json/site-config.ts';

/** The files of a site, and the settings by which they are read. */
export interface SourceFiles {
  config: Pick<SiteConfig, 'variables' | 'latex' | 'sources'>;
  /** Text of a source file (snippet), by its path in the tree without a leading slash. */
  readText(path: string): string | undefined;
  /** Whether the tree has that file. */
  hasFile(path: string): boolean;
  /** The day of the content: what components of authors take for today. */
  day(): string;
}

/** What imports of a page are resolved with. */
export type ImportedFiles = Pick<SourceFiles, 'hasFile'> & {
  config: Pick<SourceFiles['config'], 'sources'>;
};
