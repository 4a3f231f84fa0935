/**
 * What became of a delivery of a webhook. `accepted`: the repository is to be looked at. After that,
 * `deployed`, `ignored` or `failed`. `repeated`: it came before. `refused`: its signature is wrong.
 */
export const LOGGED_OUTCOMES = [
  'accepted',
  'deployed',
  'ignored',
  'failed',
  'repeated',
  'refused',
] as const;
export type LoggedOutcome = (typeof LOGGED_OUTCOMES)[number];

/** What a look at the repository led to; `reason` says why nothing was deployed. */
export interface LookResult {
  outcome: Extract<LoggedOutcome, 'deployed' | 'ignored' | 'failed'>;
  reason: string | null;
}

/** The result of a look that leads to nothing. */
export const nothingToDo = (reason: string): LookResult => ({ outcome: 'ignored', reason });
