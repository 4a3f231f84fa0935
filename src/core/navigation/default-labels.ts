import type { BuiltPage, SiteBuild } from '../site-build.ts';
import { defaultSlicePages } from './default-slice.ts';

/** A version and a language. */
export interface DefaultLabels {
  version?: string;
  language?: string;
}

/** What has labels of its own: a build, or what is known of one. */
export interface LabelledPages {
  navigation: SiteBuild['navigation'];
  pages: readonly Pick<BuiltPage, 'path' | 'version' | 'language'>[];
}

/** The version and the language that a reader of the site sees first; none where there is not exactly one. */
export function defaultLabels({ navigation, pages }: LabelledPages): DefaultLabels {
  const paths = new Set(defaultSlicePages(navigation));
  const shown = pages.filter((page) => paths.has(page.path));
  // Several products may each have versions of their own; then none of them stands for all.
  const only = (values: (string | undefined)[]) => {
    const labels = new Set(values.filter((value) => value !== undefined));
    return labels.size === 1 ? [...labels][0] : undefined;
  };
  return { version: only(shown.map((page) => page.version)), language: only(shown.map((page) => page.language)) };
}
