import { editorSchema } from '../../core/docs-json/json-schema.ts';
import type { Output } from '../output.ts';

/** `docent schema`: prints the JSON Schema of docs.json. */
export function runSchema(output: Output): void {
  const schema = editorSchema();
  output.print(JSON.stringify(schema, null, 2));
  output.json(schema);
}
