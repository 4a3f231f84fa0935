import type { Diagnostic } from '../diagnostics.ts';
import type { JsonNote } from './json-document.ts';

/** Reports what the lenient parser accepted as warnings, one for each kind and file. */
export function reportJsonNotes(notes: readonly JsonNote[], diagnostics: Diagnostic[]): void {
  const seen = new Set<string>();
  for (const { kind, key, place } of notes) {
    const isSyntax = kind === 'comment' || kind === 'trailing-comma';
    const seenKey = `${kind} ${place.file}`;
    if (isSyntax && seen.has(seenKey)) continue;
    seen.add(seenKey);
    const [message, remedy] = isSyntax
      ? [
          `The file has ${kind === 'comment' ? 'comments' : 'commas before a closing bracket'}, which strict JSON forbids.`,
          'Remove them, so that every tool can read the file.',
        ]
      : kind === 'duplicate-key'
        ? [`"${key}" is defined twice in the same object; only the last one applies.`, 'Remove one of them.']
        : [`The name "${key}" is not allowed; it is ignored.`, 'Remove it.'];
    diagnostics.push({ severity: 'warning', code: isSyntax ? 'lenient-json' : `${kind}`, message, remedy, ...place });
  }
}
