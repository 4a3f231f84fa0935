/**
 * One thing that a build noticed about the author's source. It names the place and the remedy, in the
 * author's words. A `warning` costs one place on one page; an `error` costs the page (or, in the
 * configuration, the build).
 */
export interface Diagnostic {
  severity: 'error' | 'warning';
  /** Stable machine word in kebab-case, for example `unknown-component`. */
  code: string;
  /** What is wrong, one sentence. */
  message: string;
  /** What the author can do about it, one sentence. */
  remedy: string;
  /** Path of the file inside the source tree, without a leading slash. */
  file: string;
  /** 1-based; absent where the place inside the file is not known. */
  line?: number;
  /** 1-based. */
  column?: number;
}
