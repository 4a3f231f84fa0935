/** One step of a build, as its owner sees it. */
export interface BuildStage {
  /** What is done, for example `Compiling pages`. */
  name: string;
  /** ISO 8601. */
  startedAt: string;
  /** `null` while it lasts. */
  endedAt: string | null;
  status: 'running' | 'done' | 'failed';
}

/** One line of the log of a build. */
export interface LogLine {
  /** ISO 8601. */
  time: string;
  text: string;
}
