import type { SourceTree } from '../source/source-tree.ts';

const FILES = ['.docent/assistant.md', '.mintlify/Assistant.md', '.mintlify/assistant.md'];

/** The owners' instructions for a site's assistant: our own file, or that of the format. */
export function assistantInstructions(source: Pick<SourceTree, 'readText'>): string | undefined {
  for (const file of FILES) {
    const text = source.readText(file)?.trim();
    if (text) return text;
  }
  return undefined;
}
