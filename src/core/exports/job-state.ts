export const exportStatuses = ['queued', 'running', 'completed', 'failed'] as const;

export type ExportStatus = (typeof exportStatuses)[number];

/** Where a job can go from each state; a job that was begun may be begun again by another process. There is no way back. */
const transitions: Record<ExportStatus, readonly ExportStatus[]> = {
  queued: ['running', 'failed'],
  running: ['running', 'completed', 'failed'],
  completed: [],
  failed: [],
};

/** The states from which a job may become `status`. */
export function statesBefore(status: ExportStatus): ExportStatus[] {
  const states = Object.keys(transitions) as ExportStatus[];
  return states.filter((state) => transitions[state].includes(status));
}
