/** How far a search must have come before it can say that it wants a part. What is asked for later follows from what came earlier. */
export type Stage = 'words' | 'completions' | 'similar' | 'texts' | 'documents';

/**
 * The parts that a search lacks. A search that lacks some goes on with what is there, and all that it then asks for is a guess:
 * so only the parts of the first stage at which something was lacking are noted.
 */
export class WantedParts {
  readonly numbers = new Set<number>();
  private stage: Stage | undefined;

  note(stage: Stage, part: number): void {
    this.stage ??= stage;
    if (stage === this.stage) this.numbers.add(part);
  }

  /** Whether an earlier stage lacks something. */
  isBehind(stage: Stage): boolean {
    return this.stage !== undefined && this.stage !== stage;
  }

  forget(): void {
    this.numbers.clear();
    this.stage = undefined;
  }
}
