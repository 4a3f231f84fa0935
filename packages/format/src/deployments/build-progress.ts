/** A build step, as shown to the site's owner. */
export interface BuildStage {
  /** The current activity, for example `Compiling pages`. */
  name: string;
  /** ISO 8601. */
  startedAt: string;
  /** `null` while it is running. */
  endedAt: string | null;
  status: 'running' | 'done' | 'failed';
}

export interface LogLine {
  /** ISO 8601. */
  time: string;
  text: string;
}

const MAX_LINES = 1000;
const MAX_LINE_CHARACTERS = 500;
const PROGRESS_EVERY_MS = 2000;

/**
 * Records the progress of a build, within limits: the stages of this attempt, and the log of all
 * attempts.
 */
export class BuildProgress {
  readonly stages: BuildStage[] = [];
  readonly log: LogLine[];
  #countedAt = 0;

  /** @param log the log of earlier attempts */
  constructor(log: readonly LogLine[]) {
    this.log = [...log];
  }

  /** Ends the previous stage and starts this one. */
  enter(stage: string, now: Date): void {
    this.end('done', now);
    const name = stage.charAt(0).toUpperCase() + stage.slice(1);
    this.stages.push({ name, startedAt: now.toISOString(), endedAt: null, status: 'running' });
    this.addLine(name, now);
  }

  /** Reports how many pages are done, from time to time. @returns whether it reported now */
  count(done: number, total: number, now: Date): boolean {
    if (done < total && now.getTime() - this.#countedAt < PROGRESS_EVERY_MS) return false;
    this.#countedAt = now.getTime();
    this.addLine(`${done} of ${total} pages`, now);
    return true;
  }

  addLine(text: string, now: Date): void {
    if (this.log.length >= MAX_LINES) return;
    const line =
      this.log.length === MAX_LINES - 1 ? 'The log is full; what follows is left out.' : text;
    this.log.push({ time: now.toISOString(), text: line.slice(0, MAX_LINE_CHARACTERS) });
  }

  /** Ends the running stage. */
  end(status: 'done' | 'failed', now: Date): void {
    const last = this.stages.at(-1);
    if (last?.status !== 'running') return;
    last.status = status;
    last.endedAt = now.toISOString();
  }
}

/**
 * Returns the stages of a finished deployment. A stage that was still running, because its worker
 * was killed or it was canceled, has failed.
 */
export function endedStages(stages: readonly BuildStage[], endedAt: Date): BuildStage[] {
  return stages.map((stage) =>
    stage.status === 'running'
      ? { ...stage, status: 'failed' as const, endedAt: endedAt.toISOString() }
      : stage,
  );
}
