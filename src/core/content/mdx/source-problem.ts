/** A problem in the text of a file, found before it has a tree. Lines and columns are 1-based within the parsed text. */
export interface SourceProblem {
  severity: 'error' | 'warning';
  code: string;
  message: string;
  remedy: string;
  line: number;
  column: number;
}
