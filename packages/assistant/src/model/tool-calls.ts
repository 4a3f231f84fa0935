import type { ToolCall } from '../chat/answer-event.ts';

/** Tool calls are model output: unknown names and invalid inputs are ignored. */
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

/** A call in the text of a model may be an object, a list, or an object with a list. */
const FIELDS = {
  name: ['name', 'tool', 'tool_name', 'function'],
  input: ['arguments', 'parameters', 'input', 'args'],
};
const FUNCTION_TAG = /<function=(\w{1,40})>([\s\S]*?)(?:<\/function>|$)/;

/**
 * Reads tool calls that a model wrote as text: JSON, also in code blocks, or a function tag around
 * JSON.
 * @returns the calls of our tools; `isCall` if the text is nothing but calls, of our tools or of
 *   invented ones
 */
export function readWrittenCalls(text: string): { calls: ToolCall[]; isCall: boolean } {
  const [, tagged, body] = FUNCTION_TAG.exec(text) ?? [];
  if (tagged !== undefined) {
    const call = readCall(tagged, (body ?? '').trim());
    return { calls: call ? [call] : [], isCall: true };
  }
  const values = jsonValues(text);
  const parsedCalls = values?.flatMap(callsIn);
  if (!parsedCalls || parsedCalls.length === 0) return { calls: [], isCall: false };
  return {
    calls: parsedCalls.flatMap((call) => (call && readCall(call.name, call.input)) ?? []),
    isCall: parsedCalls.every((call) => call !== undefined),
  };
}

/**
 * Returns the JSON values of which the text consists; undefined if it consists of something else.
 */
function jsonValues(text: string): unknown[] | undefined {
  const bare = text.replace(/^ {0,3}(?:`{3,}|~{3,})[ \t]*(?:\w+[ \t]*)?$/gm, '').trim();
  for (const source of [bare, `[${bare.replace(/\}\s*(?:;\s*)?\{/g, '},{')}]`]) {
    try {
      return [JSON.parse(source)];
    } catch {
      // The next form may be the one.
    }
  }
  return undefined;
}

/**
 * Returns the calls that a JSON value describes; undefined in place of each value that is not a
 * call.
 */
function callsIn(value: unknown): ({ name: string; input: string } | undefined)[] {
  if (Array.isArray(value)) return value.flatMap(callsIn);
  if (typeof value !== 'object' || value === null) return [undefined];
  const fields = value as Record<string, unknown>;
  if (Array.isArray(fields.tool_calls)) return fields.tool_calls.flatMap(callsIn);
  if (typeof fields.function === 'object' && fields.function !== null)
    return callsIn(fields.function);
  const name = FIELDS.name
    .map((field) => fields[field])
    .find((fieldValue) => typeof fieldValue === 'string');
  const input = FIELDS.input
    .map((field) => fields[field])
    .find((fieldValue) => fieldValue !== undefined);
  if (typeof name !== 'string' || input === undefined) return [undefined];
  return [{ name, input: typeof input === 'string' ? input : JSON.stringify(input) }];
}
