import { type DefaultLabels, type LabelledPages, defaultLabels as readLabels } from '../../core/navigation/default-labels.ts';

const known = new WeakMap<LabelledPages, DefaultLabels>();

/** The version and the language that readers of the site see first; computed once per build. */
export function defaultLabels(build: LabelledPages): DefaultLabels {
  const labels = known.get(build) ?? readLabels(build);
  known.set(build, labels);
  return labels;
}
