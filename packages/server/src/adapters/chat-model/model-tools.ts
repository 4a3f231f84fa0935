import type { FinishReason } from '@docent/assistant/chat/answer-event.ts';

/** The schema of an object of strings. */
const texts = (properties: Record<string, string>, required = Object.keys(properties)) => ({
  type: 'object' as const,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, description]) => [
      name,
      { type: 'string' as const, description },
    ]),
  ),
  required,
  additionalProperties: false,
});

/** The tools of a language model; the input's form is a JSON schema. */
export const modelTools = [
  {
    name: 'search',
    description:
      'Searches this documentation. The words of the question were searched already: use the words that its authors would use, and what earlier turns name. Use it when the passages at hand do not answer the question.',
    inputSchema: texts({ query: 'Words to search for.' }),
  },
  {
    name: 'read_page',
    description: 'Reads a whole page of this documentation.',
    inputSchema: texts({ path: 'Path of the page, as in the passages.' }),
  },
  {
    name: 'list_pages',
    description: 'Lists the pages of this documentation with their titles, below a folder.',
    inputSchema: texts({ path: 'Folder, such as `guides`; all pages without it.' }, []),
  },
  {
    name: 'grep',
    description:
      'Finds the lines of this documentation that hold a text exactly as it is written, such as an option, an error message or a function.',
    inputSchema: texts(
      { text: 'The text; no regular expression.', path: 'Folder; everywhere without it.' },
      ['text'],
    ),
  },
];

/** Converts a provider's finish reason, with hyphens for its underscores. */
export function reasonOf(reason: string): FinishReason {
  const reasons: FinishReason[] = ['stop', 'length', 'content-filter', 'tool-calls', 'error'];
  return reasons.find((finishReason) => finishReason === reason) ?? 'other';
}
