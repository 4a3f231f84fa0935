import type { FinishReason, ToolCall } from '../../core/assistant/answer-event.ts';

/** The schema of an object of texts. */
const texts = (properties: Record<string, string>, required = Object.keys(properties)) => ({
  type: 'object' as const,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, description]) => [name, { type: 'string' as const, description }]),
  ),
  required,
  additionalProperties: false,
});

/** What a language model may do besides speaking; the input's form is a JSON schema. */
export const modelTools = [
  {
    name: 'search',
    description:
      'Searches this documentation. The words of the question were searched already: use the words that its authors would use, and what earlier turns name. Use it when the passages at hand do not answer the question.',
    inputSchema: texts({ query: 'Words of what you look for.' }),
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
    inputSchema: texts({ text: 'The text; no regular expression.', path: 'Folder; everywhere without it.' }, ['text']),
  },
];

/** What a model asks for is its own text: a name that we do not have, or an input of another form, is passed over. */
export function readCall(name: string, inputText: string): ToolCall | undefined {
  let input: unknown;
  try {
    input = JSON.parse(inputText === '' ? '{}' : inputText);
  } catch {
    return undefined;
  }
  if (typeof input !== 'object' || input === null) return undefined;
  const textOf = (field: string): string => {
    const value = (input as Record<string, unknown>)[field];
    return typeof value === 'string' ? value.trim() : '';
  };
  const [query, path, text] = ['query', 'path', 'text'].map(textOf) as [string, string, string];
  if (name === 'search' && query !== '') return { name, input: { query } };
  if (name === 'read_page' && path !== '') return { name, input: { path } };
  if (name === 'list_pages') return { name, input: { path } };
  if (name === 'grep' && text !== '') return { name, input: { text, path } };
  return undefined;
}

/** A provider's word for why a model stopped, with hyphens for its underscores. */
export function reasonOf(reason: string): FinishReason {
  const known: FinishReason[] = ['stop', 'length', 'content-filter', 'tool-calls', 'error'];
  return known.find((one) => one === reason) ?? 'other';
}
