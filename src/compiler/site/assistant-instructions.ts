import type { SourceTree } from '../source/source-tree.ts';

const FILES = ['.docent/assistant.md', '.mintlify/Assistant.md', '.mintlify/assistant.md'];

/** The instructions of a site's owners for its assistant: our own file, or the one of the format. */
export function assistantInstructions(source: Pick<SourceTree, 'readText'>): string | undefined {
  for (const file of FILES) {
    const text = source.readText(file)?.trim();
    if (text) return text;
  }
  return undefined;
}
