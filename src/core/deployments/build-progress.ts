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

const MAX_LINES = 1000;
const MAX_LINE_CHARACTERS = 500;
const PROGRESS_EVERY_MS = 2000;

/** Notes what a build does, within bounds: the stages of this try, and the log of all tries. */
export class BuildProgress {
  readonly stages: BuildStage[] = [];
  readonly log: LogLine[];
  #countedAt = 0;

  /** @param log what the tries before this one said */
  constructor(log: readonly LogLine[]) {
    this.log = [...log];
  }

  /** The stage before ends, and this one begins. */
  enter(stage: string, now: Date): void {
    this.end('done', now);
    const name = stage.charAt(0).toUpperCase() + stage.slice(1);
    this.stages.push({ name, startedAt: now.toISOString(), endedAt: null, status: 'running' });
    this.say(name, now);
  }

  /** Says now and then how many pages are done. @returns whether it did now */
  count(done: number, total: number, now: Date): boolean {
    if (done < total && now.getTime() - this.#countedAt < PROGRESS_EVERY_MS) return false;
    this.#countedAt = now.getTime();
    this.say(`${done} of ${total} pages`, now);
    return true;
  }

  say(text: string, now: Date): void {
    if (this.log.length >= MAX_LINES) return;
    const line = this.log.length === MAX_LINES - 1 ? 'The log is full; what follows is left out.' : text;
    this.log.push({ time: now.toISOString(), text: line.slice(0, MAX_LINE_CHARACTERS) });
  }

  /** The stage that is running ends. */
  end(status: 'done' | 'failed', now: Date): void {
    const last = this.stages.at(-1);
    if (last?.status !== 'running') return;
    last.status = status;
    last.endedAt = now.toISOString();
  }
}

/** The stages of a deployment that has ended: one that was running, because its worker was killed or it was cancelled, failed then. */
export function endedStages(stages: readonly BuildStage[], endedAt: Date): BuildStage[] {
  return stages.map((stage) =>
    stage.status === 'running' ? { ...stage, status: 'failed' as const, endedAt: endedAt.toISOString() } : stage,
  );
}
