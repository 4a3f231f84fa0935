/** What a linter says about a line of a page. */
export interface ProseAlert {
  /** Path in the folder. */
  file: string;
  line: number;
  /** Name of the rule: `Google.Passive`. */
  rule: string;
  message: string;
  severity: 'error' | 'warning' | 'suggestion';
}

/** Checks how pages are written, by rules that their repository brings. */
export interface ProseLinter {
  isInstalled(): Promise<boolean>;
  /**
   * Checks the pages in a folder by the configuration that is in it. Everything in the folder is
   * hostile: nothing in it starts a program, and time and memory are bounded.
   * @returns nothing without a configuration; a sentence that says why it could not check
   */
  lint(folder: string, signal: AbortSignal): Promise<ProseAlert[] | string>;
}
