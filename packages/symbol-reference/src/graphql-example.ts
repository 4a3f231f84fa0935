import {
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  print,
  type TypeNode,
} from 'graphql';
import {
  deprecationOf,
  directivesOf,
  type GraphqlSchema,
  type GraphqlType,
  isRequired,
  namedType,
  type RootKind,
} from './graphql-schema.ts';

const MAX_DEPTH = 4;
const MAX_LEAVES = 10;
const MAX_BRANCHES = 3;
const MAX_MEMBERS = 2;
/** Maximum fields: more make an example useless. */
const MAX_FIELDS = 40;
const MAX_INPUT_DEPTH = 4;

/** An example request and its response. */
interface Selection {
  lines: string[];
  value: unknown;
}

/**
 * Returns a request for a field of a root type with the variables that it needs, if any, and a
 * response of the same shape.
 */
export function exampleOperation(
  schema: GraphqlSchema,
  root: RootKind,
  field: FieldDefinitionNode,
) {
  const name = field.name.value;
  const required = (field.arguments ?? []).filter(isRequired);
  const declared = required
    .map((argument) => `$${argument.name.value}: ${print(argument.type)}`)
    .join(', ');
  const passed = required
    .map((argument) => `${argument.name.value}: $${argument.name.value}`)
    .join(', ');
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const state = { left: MAX_FIELDS };
  const selection = select(schema, field.type, [], state);
  const inner =
    selection.lines.length > 0
      ? [' {', ...selection.lines.map((line) => `\n    ${line}`), '\n  }'].join('')
      : '';
  const head = `${root} ${title}${declared === '' ? '' : `(${declared})`}`;
  const operation = `${head} {\n  ${name}${passed === '' ? '' : `(${passed})`}${inner}\n}`;
  const values = required.map((argument): [string, unknown] => [
    argument.name.value,
    exampleOf(schema, argument.type, argument.name.value, MAX_INPUT_DEPTH),
  ]);
  const response = { data: Object.fromEntries([[name, selection.value]]) };
  return {
    operation,
    variables: values.length > 0 ? Object.fromEntries(values) : undefined,
    response,
  };
}

function select(
  schema: GraphqlSchema,
  type: TypeNode,
  above: readonly string[],
  state: { left: number },
): Selection {
  const name = namedType(type);
  const definition = schema.types.get(name);
  const wrap = (value: unknown) => (isList(type) ? [value] : value);
  if (!definition || !isComposite(definition))
    return { lines: [], value: exampleOf(schema, type, '', 1) };
  if (definition.kind === 'union') return unionSelection(schema, definition, above, state, wrap);
  const lines: string[] = [];
  const value: [string, unknown][] = [];
  const trail = [...above, name];
  const usable = definition.fields.filter(
    (field) => deprecationOf(field) === undefined && !(field.arguments ?? []).some(isRequired),
  );
  const isBranch = (field: FieldDefinitionNode) =>
    isComposite(schema.types.get(namedType(field.type)));
  for (const field of usable.filter((candidate) => !isBranch(candidate)).slice(0, MAX_LEAVES)) {
    if (state.left <= 0) break;
    state.left--;
    lines.push(field.name.value);
    value.push([field.name.value, exampleOf(schema, field.type, field.name.value, 1)]);
  }
  // A connection (`edges`, `nodes`) has no content of its own, so its contents count for its depth.
  const depth = trail.length;
  for (const field of usable
    .filter(isBranch)
    .slice(0, depth >= 2 && lines.length > 0 ? 1 : MAX_BRANCHES)) {
    if (state.left <= 0 || depth >= MAX_DEPTH || (depth >= 3 && lines.length > 0)) break;
    if (trail.includes(namedType(field.type))) continue;
    const inner = select(schema, field.type, trail, state);
    if (inner.lines.length === 0) continue;
    lines.push(`${field.name.value} {`, ...inner.lines.map((line) => `  ${line}`), '}');
    value.push([field.name.value, inner.value]);
  }
  if (lines.length === 0) return { lines: ['__typename'], value: wrap({ __typename: name }) };
  return { lines, value: wrap(Object.fromEntries(value)) };
}

function unionSelection(
  schema: GraphqlSchema,
  union: GraphqlType,
  above: readonly string[],
  state: { left: number },
  wrap: (value: unknown) => unknown,
): Selection {
  const lines = ['__typename'];
  let value: Record<string, unknown> = { __typename: union.members[0]?.name.value ?? union.name };
  const members = union.members
    .filter((member) => !above.includes(member.name.value))
    .slice(0, MAX_MEMBERS);
  for (const [index, member] of members.entries()) {
    if (above.length >= MAX_DEPTH) break;
    const inner = select(schema, member, [...above, union.name], state);
    if (inner.lines.length === 0) continue;
    lines.push(`... on ${member.name.value} {`, ...inner.lines.map((line) => `  ${line}`), '}');
    if (index === 0) value = { __typename: member.name.value, ...(inner.value as object) };
  }
  return { lines, value: wrap(value) };
}

function isComposite(type: GraphqlType | undefined): boolean {
  return type?.kind === 'object' || type?.kind === 'interface' || type?.kind === 'union';
}

function isList(type: TypeNode): boolean {
  return (
    type.kind === Kind.LIST_TYPE ||
    (type.kind === Kind.NON_NULL_TYPE && type.type.kind === Kind.LIST_TYPE)
  );
}

/**
 * Returns an example of a value; of an input object its required fields, otherwise the first ones.
 */
function exampleOf(schema: GraphqlSchema, type: TypeNode, name: string, depth: number): unknown {
  if (type.kind === Kind.NON_NULL_TYPE) return exampleOf(schema, type.type, name, depth);
  if (type.kind === Kind.LIST_TYPE)
    return depth <= 0 ? [] : [exampleOf(schema, type.type, name, depth)];
  const typeName = type.name.value;
  const definition = schema.types.get(typeName);
  if (definition?.kind === 'enum')
    return (
      definition.values.find((enumValue) => deprecationOf(enumValue) === undefined)?.name.value ??
      'VALUE'
    );
  if (definition?.kind === 'input') {
    if (depth <= 0) return {};
    const required = definition.inputs.filter(isRequired);
    const others = definition.inputs.filter((input) => deprecationOf(input) === undefined);
    const inputs = required.length > 0 ? required.slice(0, 20) : others.slice(0, 3);
    return Object.fromEntries(
      inputs.map((input) => [
        input.name.value,
        exampleOf(schema, input.type, input.name.value, depth - 1),
      ]),
    );
  }
  return scalarValue(typeName, name);
}

function scalarValue(type: string, name: string): unknown {
  if (type === 'ID') return 'abc123';
  if (type === 'Int') return /count|total|size|first|last|limit/i.test(name) ? 10 : 42;
  if (type === 'Float') return 9.99;
  if (type === 'Boolean') return true;
  return type === 'String' ? textValue(name) : customValue(type);
}

function textValue(name: string): string {
  if (/email/i.test(name)) return 'ada@example.com';
  if (/ur[il]$|link|href/i.test(name)) return 'https://example.com';
  if (/cursor/i.test(name)) return 'Y3Vyc29yOjEw';
  const words = name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/_+/g, ' ');
  return name === '' ? 'text' : `Example ${words.trim().toLowerCase()}`;
}

function customValue(type: string): unknown {
  if (/^(?:date-?time|timestamp.*|iso8601.*time|instant)$/i.test(type))
    return '2026-01-31T09:30:00Z';
  if (/date$/i.test(type)) return '2026-01-31';
  if (/^time$/i.test(type)) return '09:30:00';
  if (/ur[il]$/i.test(type)) return 'https://example.com';
  if (/uuid|guid/i.test(type)) return '3f2b8c1e-9d47-4a65-8a0b-5c1d2e3f4a5b';
  if (/email/i.test(type)) return 'ada@example.com';
  if (/json|map|object|any/i.test(type)) return {};
  if (/int|long|bigdecimal|decimal|number|money|float/i.test(type))
    return /int|long/i.test(type) ? 42 : 9.99;
  return `example ${type}`;
}

const MAX_LINES = 60;

/**
 * Returns the definition of a type in SDL without the descriptions, which are shown beside it. Long
 * ones are cut.
 */
export function definitionOf(type: GraphqlType): string {
  const applied = mark(type);
  const head = `${type.kind === 'object' ? 'type' : type.kind} ${type.name}${type.kind === 'union' || type.kind === 'scalar' ? applied : ''}`;
  if (type.kind === 'scalar') return head;
  if (type.kind === 'union') {
    const members = type.members.map((member) => member.name.value);
    const short = `${head} = ${members.join(' | ')}`;
    return short.length <= 60
      ? short
      : [`${head} =`, ...cut(members.map((name) => `  | ${name}`))].join('\n');
  }
  const implemented =
    type.interfaces.length > 0
      ? ` implements ${type.interfaces.map((interfaceType) => interfaceType.name.value).join(' & ')}`
      : '';
  const lines =
    type.kind === 'enum'
      ? type.values.map((enumValue) => `${enumValue.name.value}${mark(enumValue)}`)
      : type.kind === 'input'
        ? type.inputs.map((input) => `${bareInput(input)}${mark(input)}`)
        : type.fields.map((field) => `${fieldLine(field)}${mark(field)}`);
  return [`${head}${implemented}${applied} {`, ...cut(lines.map((line) => `  ${line}`)), '}'].join(
    '\n',
  );
}

function fieldLine(field: GraphqlType['fields'][number]): string {
  const inputs = (field.arguments ?? []).map(bareInput);
  const type = print(field.type);
  const short = inputs.length === 0 ? '' : `(${inputs.join(', ')})`;
  if (field.name.value.length + short.length + type.length <= 76)
    return `${field.name.value}${short}: ${type}`;
  return `${field.name.value}(\n${inputs.map((line) => `    ${line}`).join('\n')}\n  ): ${type}`;
}

function bareInput(input: InputValueDefinitionNode): string {
  return print({ ...input, description: undefined, directives: [] });
}

/** The directives behind a name. */
function mark(node: Parameters<typeof directivesOf>[0]): string {
  const applied = directivesOf(node).map((directive) => ` ${print(directive)}`);
  return `${deprecationOf(node) === undefined ? '' : ' @deprecated'}${applied.join('')}`;
}

function cut(lines: readonly string[]): string[] {
  return lines.length <= MAX_LINES
    ? [...lines]
    : [...lines.slice(0, MAX_LINES), `  # ${lines.length - MAX_LINES} more`];
}
