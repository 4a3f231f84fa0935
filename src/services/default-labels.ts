import { defaultSlicePages } from '../core/navigation/default-slice.ts';
import type { SiteBuild } from '../core/site-build.ts';

export interface DefaultLabels {
  version?: string;
  language?: string;
}

const known = new WeakMap<SiteBuild, DefaultLabels>();

/** The version and the language that a reader of the site sees first; none where there is not exactly one. */
export function defaultLabels(build: SiteBuild): DefaultLabels {
  const labels = known.get(build) ?? readLabels(build);
  known.set(build, labels);
  return labels;
}

function readLabels(build: SiteBuild): DefaultLabels {
  const paths = new Set(defaultSlicePages(build.navigation));
  const pages = build.pages.filter((page) => paths.has(page.path));
  // Several products may each have versions of their own; then none of them stands for all.
  const only = (values: (string | undefined)[]) => {
    const labels = new Set(values.filter((value) => value !== undefined));
    return labels.size === 1 ? [...labels][0] : undefined;
  };
  return { version: only(pages.map((page) => page.version)), language: only(pages.map((page) => page.language)) };
}
