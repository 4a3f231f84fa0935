import { errorMessage } from '@docent/format/error-message.ts';
import { inTime } from '../lib/in-time.ts';

/** What `docent doctor` says about one thing. */
export interface Finding {
  status: 'ok' | 'warn' | 'fail';
  /** The thing: `disk`, `database` … */
  of: string;
  /** One sentence, without a secret. */
  says: string;
  /** Name and version of the server behind it, in the words of that server. */
  version?: string;
  /** What to do, unless it is ok. */
  remedy?: string;
}

const ANSWER_WITHIN_MS = 15_000;

export const ok = (of: string, says: string): Finding => ({ status: 'ok', of, says });
/** @param latencyMs how long the server took to answer */
export const answered = (of: string, version: string, latencyMs: number): Finding => ({
  ...ok(of, `${version}, answers in ${Math.round(latencyMs)} ms`),
  version,
});
export const warn = (of: string, says: string, remedy: string): Finding => ({
  status: 'warn',
  of,
  says,
  remedy,
});
export const fail = (of: string, says: string, remedy: string): Finding => ({
  status: 'fail',
  of,
  says,
  remedy,
});

/**
 * Runs one check. One that throws or takes too long is a failure too, so that the others still run.
 */
export async function checked(
  of: string,
  remedy: string,
  check: () => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await inTime(check(), ANSWER_WITHIN_MS, () => [
      fail(of, `no answer within ${ANSWER_WITHIN_MS / 1000} seconds`, remedy),
    ]);
  } catch (error) {
    return [fail(of, errorMessage(error), remedy)];
  }
}
