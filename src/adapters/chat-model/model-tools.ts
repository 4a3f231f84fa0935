import type { FinishReason, ToolCall } from '../../core/assistant/answer-event.ts';

const oneText = (name: string, description: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'string' as const, description } },
  required: [name],
  additionalProperties: false,
});

/** What a language model may do besides speaking; the input's form is a JSON schema. */
export const modelTools = [
  {
    name: 'search',
    description: 'Searches this documentation. Use it when the passages at hand do not answer the question.',
    inputSchema: oneText('query', 'Words of what you look for.'),
  },
  {
    name: 'read_page',
    description: 'Reads a whole page of this documentation.',
    inputSchema: oneText('path', 'Path of the page, as in the passages.'),
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
  const { query, path } = input as Record<string, unknown>;
  if (name === 'search' && typeof query === 'string' && query.trim() !== '') return { name, input: { query } };
  if (name === 'read_page' && typeof path === 'string' && path.trim() !== '') return { name, input: { path } };
  return undefined;
}

/** A provider's word for why a model stopped, with hyphens for its underscores. */
export function reasonOf(reason: string): FinishReason {
  const known: FinishReason[] = ['stop', 'length', 'content-filter', 'tool-calls', 'error'];
  return known.find((one) => one === reason) ?? 'other';
}
