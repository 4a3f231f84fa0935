import type { BuiltPage, SiteBuild } from '../site-build.ts';
import { defaultSlicePages } from './default-slice.ts';

/** A version and a language. */
export interface DefaultLabels {
  version?: string;
  language?: string;
}

/** Anything with labels: a build, or metadata of one. */
export interface LabelledPages {
  navigation: SiteBuild['navigation'];
  pages: readonly Pick<BuiltPage, 'path' | 'version' | 'language'>[];
}

const known = new WeakMap<LabelledPages, DefaultLabels>();

/** Returns the default version and language of a site; none if there is not exactly one. Computed once per build. */
export function defaultLabels(build: LabelledPages): DefaultLabels {
  const labels = known.get(build) ?? readLabels(build);
  known.set(build, labels);
  return labels;
}

function readLabels({ navigation, pages }: LabelledPages): DefaultLabels {
  const paths = new Set(defaultSlicePages(navigation));
  const shown = pages.filter((page) => paths.has(page.path));
  // Several products may each have versions; then none of them is the default of all.
  const only = (values: (string | undefined)[]) => {
    const labels = new Set(values.filter((value) => value !== undefined));
    return labels.size === 1 ? [...labels][0] : undefined;
  };
  return { version: only(shown.map((page) => page.version)), language: only(shown.map((page) => page.language)) };
}
