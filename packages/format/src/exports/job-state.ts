export const exportStatuses = ['queued', 'running', 'completed', 'failed'] as const;

export type ExportStatus = (typeof exportStatuses)[number];

/**
 * The allowed transitions of a job; another process may restart a running job. Finished jobs never
 * change.
 */
const transitions: Record<ExportStatus, readonly ExportStatus[]> = {
  queued: ['running', 'failed'],
  running: ['running', 'completed', 'failed'],
  completed: [],
  failed: [],
};

/** Returns the states from which a job may become `status`. */
export function statesBefore(status: ExportStatus): ExportStatus[] {
  const states = Object.keys(transitions) as ExportStatus[];
  return states.filter((state) => transitions[state].includes(status));
}
