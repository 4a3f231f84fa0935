import type { Diagnostic } from '../diagnostics.ts';
import { errorMessage } from '../error-message.ts';
import { JsonSyntaxError, parseJsonDocument } from '../json-document.ts';
import { isObject, type JsonObject } from '../json-value.ts';
import { parseYaml, YamlFault } from '../yaml-document.ts';

export const MAX_JSON_CHARACTERS = 25_000_000;
// Parsing YAML takes about fifty times as long as parsing JSON.
const MAX_YAML_CHARACTERS = 5_000_000;

/**
 * Parses the text of a description to an untrusted tree. Returns undefined and reports why if it
 * cannot be read.
 */
export function parseTree(
  text: string,
  file: string,
  diagnostics: Diagnostic[],
): JsonObject | undefined {
  const content = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  // YAML may begin like JSON.
  const isJson = /^\s*[{[]/.test(content) && (!/\.ya?ml$/i.test(file) || isValidJson(content));
  const limit = isJson ? MAX_JSON_CHARACTERS : MAX_YAML_CHARACTERS;
  if (content.length > limit) {
    const message = `The API description has ${content.length} characters; at most ${limit} are read.`;
    diagnostics.push(
      descriptionFault(
        file,
        'api-document-too-large',
        message,
        'Split it into several files, or convert YAML to JSON.',
      ),
    );
    return undefined;
  }
  const tree: unknown = isJson
    ? parseJson(content, file, diagnostics)
    : readYaml(content, file, diagnostics);
  if (isObject(tree)) return tree;
  if (diagnostics.length === 0)
    diagnostics.push(
      descriptionFault(file, 'invalid-api-document', 'The API description is not an object.'),
    );
  return undefined;
}

function parseJson(text: string, file: string, diagnostics: Diagnostic[]): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The platform's own message has no line.
    const { message, place } = jsonFault(text, file) ?? {
      message: errorMessage(error),
      place: { file },
    };
    const fault = descriptionFault(
      file,
      'invalid-api-document',
      `The API description is not valid JSON: ${message}.`,
    );
    diagnostics.push({ ...fault, remedy: 'Correct the JSON at that line.', ...place });
    return undefined;
  }
}

function jsonFault(text: string, file: string): JsonSyntaxError | undefined {
  try {
    parseJsonDocument(text, file);
    return undefined;
  } catch (error) {
    return error instanceof JsonSyntaxError ? error : undefined;
  }
}

function readYaml(text: string, file: string, diagnostics: Diagnostic[]): unknown {
  try {
    return parseYaml(text, { maxAliases: 200, isStrict: false }).value;
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const message = `The API description is not valid YAML: ${error.message}.`;
    const fault = descriptionFault(
      file,
      'invalid-api-document',
      message,
      'Correct the YAML at that line.',
    );
    diagnostics.push({ ...fault, line: error.line, column: error.column });
    return undefined;
  }
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** An error of a description. */
export function descriptionFault(
  file: string,
  code: string,
  message: string,
  remedy = 'Check the file with a JSON or YAML validator.',
): Diagnostic {
  return { severity: 'error', code, message, remedy, file };
}
