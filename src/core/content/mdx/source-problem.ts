/** Something wrong with the text of a file, before it has a tree. Lines and columns are 1-based within the text parsed. */
export interface SourceProblem {
  severity: 'error' | 'warning';
  code: string;
  message: string;
  remedy: string;
  line: number;
  column: number;
}
