import { type DefaultLabels, type LabelledPages, defaultLabels as readLabels } from '../../core/navigation/default-labels.ts';

const known = new WeakMap<LabelledPages, DefaultLabels>();

/** The version and the language that a reader of the site sees first; read once for each build. */
export function defaultLabels(build: LabelledPages): DefaultLabels {
  const labels = known.get(build) ?? readLabels(build);
  known.set(build, labels);
  return labels;
}
