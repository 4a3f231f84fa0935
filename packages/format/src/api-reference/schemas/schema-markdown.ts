import type { SchemaField, SchemaView, TypePart } from './schema-view.ts';

const MAX_LIST_DEPTH = 8;

/** Returns fields as a nested Markdown list: ``- `name` (type, required): description``. */
export function fieldsMarkdown(fields: readonly SchemaField[], depth = 0): string {
  let out = '';
  for (const field of fields) out += fieldMarkdown(field, depth);
  return out;
}

/** Returns the contents of a schema as a Markdown list below its heading. */
export function schemaInside(schema: SchemaView, depth = 0): string {
  let out = '';
  for (const note of schema.notes) out += item(depth, `_${note}_`);
  if (schema.elsewhere) {
    const { name, path, names } = schema.elsewhere;
    out += item(
      depth,
      `Properties: [${codeSpan(name)}](${path})${names === '' ? '' : `: ${codeSpan(names)}`}`,
    );
  }
  if (depth >= MAX_LIST_DEPTH) return out;
  out += fieldsMarkdown(schema.fields, depth);
  for (const group of schema.choices) {
    out += item(depth, 'One of:');
    for (const choice of group) {
      const type = choice.schema.type === choice.label ? '' : ` (${codeSpan(choice.schema.type)})`;
      out +=
        item(depth + 1, `**${choice.label}**${type}${afterColon(choice.schema, depth + 1)}`) +
        schemaInside(choice.schema, depth + 2);
    }
  }
  return out;
}

/** Returns the facts of a schema, one sentence each: `Default: 10. One of: a, b.` */
export function factsText(schema: SchemaView): string {
  if (schema.values.length === 0 && schema.facts.length === 0) return '';
  const parts: string[] = [];
  if (schema.values.length > 0) {
    const more = schema.moreValueCount > 0 ? ` and ${schema.moreValueCount} more` : '';
    parts.push(`One of: ${schema.values.map(codeSpan).join(', ')}${more}.`);
  }
  for (const fact of schema.facts) parts.push(`${fact.label}: ${codeSpan(fact.value)}.`);
  return parts.join(' ');
}

/** Returns the parts that are not empty as paragraphs. */
export function paragraphs(parts: readonly (string | undefined)[]): string {
  return parts
    .map((part) => part?.trim())
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
}

/** Text as a code span that backticks in it cannot close. */
export function codeSpan(text: string): string {
  const line = /[\n\r\t]/.test(text) ? text.replace(/\s+/g, ' ') : text;
  if (!line.includes('`')) return `\`${line}\``;
  const fence = '`'.repeat(Math.max(...(line.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  return `${fence} ${line} ${fence}`;
}

/** A type as code, linked if it has a page. */
export function typeSpan(type: string, parts: readonly TypePart[] = []): string {
  if (type === '') return '';
  const paths = new Set(parts.map(({ path }) => path).filter((path) => path !== undefined));
  const [only] = paths;
  return only !== undefined && paths.size === 1 ? `[${codeSpan(type)}](${only})` : codeSpan(type);
}

function fieldMarkdown({ name, required, schema }: SchemaField, depth: number): string {
  return (
    item(depth, codeSpan(name) + afterName(schema, required, depth)) +
    schemaInside(schema, depth + 1)
  );
}

function afterName(schema: SchemaView, required: boolean, depth: number): string {
  const type = typeSpan(schema.type, schema.typeParts);
  const words = type === '' ? [] : [type];
  if (required) words.push('required');
  if (schema.deprecated) words.push('deprecated');
  if (schema.readOnly) words.push('read-only');
  if (schema.writeOnly) words.push('write-only');
  words.push(...schema.labelsBefore, ...schema.labelsAfter);
  const facts = words.length > 0 ? ` (${words.join(', ')})` : '';
  return facts + afterColon(schema, depth);
}

function afterColon(schema: SchemaView, depth: number): string {
  const facts = factsText(schema);
  const description = schema.description?.trim() ?? '';
  if (description === '') return facts === '' ? '' : `: ${facts}`;
  const text = facts === '' ? description : `${sentence(description)} ${facts}`;
  return `: ${text.includes('\n') ? text.replace(/\r?\n/g, `\n${'  '.repeat(depth + 1)}`) : text}`;
}

/** The text with a final period, so that the next sentence is separate. */
function sentence(text: string): string {
  return /[\p{L}\p{N})\]`"'*]$/u.test(text) ? `${text}.` : text;
}

function item(depth: number, text: string): string {
  return `${'  '.repeat(depth)}- ${text}\n`;
}
