/** What a process counts, by name, with the name of the label. */
export const FIGURES = {
  publishes: {
    label: 'outcome',
    help: 'Attempts to build and publish a site, by outcome: success, failure, waiting.',
  },
  publish_seconds: { label: 'outcome', help: 'Time that those attempts took.' },
  refused: { label: 'limit', help: 'Requests that a limit refused, by its name.' },
  events_dropped: { label: 'reason', help: 'Analytics events that were not stored: full.' },
} as const;

export type Figure = keyof typeof FIGURES;

const counts = new Map<Figure, Map<string, number>>();

/** Counts something that happened in this process. */
export function addFigure(figure: Figure, label: string, by = 1): void {
  const labels = counts.get(figure) ?? new Map<string, number>();
  counts.set(figure, labels);
  labels.set(label, (labels.get(label) ?? 0) + by);
}

/** Returns what was counted since the process began, by label. */
export function figuresOf(figure: Figure): ReadonlyMap<string, number> {
  return counts.get(figure) ?? new Map();
}
