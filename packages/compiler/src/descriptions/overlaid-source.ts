import { applyOverlays } from '@docent/format/api-reference/overlays/apply-overlays.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import type { SourceTree } from '../source/source-tree.ts';
import { readOnce } from './parsed-descriptions.ts';

/** Description → its overlays, in the order in which they are applied. Plain data. */
export type ApiOverlays = ReadonlyMap<string, readonly OverlayName[]>;

export interface OverlayName {
  file: string;
  /** Whether `docs.json` names it; the others name the description that they extend. */
  isNamed: boolean;
}

/**
 * Returns a source in which the text of a description is that after its overlays. @param report
 * receives what cannot be applied
 */
export function withApiOverlays(
  source: SourceTree,
  overlays: ApiOverlays,
  report?: (diagnostic: Diagnostic) => void,
): SourceTree {
  const reported = new Set<string>();
  return {
    ...source,
    cleanText: (path) => (overlays.has(path) ? undefined : source.cleanText?.(path)),
    readText(path) {
      const names = overlays.get(path) ?? [];
      if (names.length === 0) return source.readText(path);
      const format = `overlays ${JSON.stringify(names)}`;
      const applied = readOnce(source, path, format, (text, file, readOther) =>
        applyOverlays(
          text,
          file,
          names.map((name) => ({ ...name, text: readOther(name.file) })),
        ),
      );
      if (!reported.has(path))
        for (const diagnostic of applied?.diagnostics ?? []) report?.(diagnostic);
      reported.add(path);
      return applied?.text;
    },
  };
}
