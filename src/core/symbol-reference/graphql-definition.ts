import { print } from 'graphql';
import { deprecationOf, directivesOf, type GraphqlType } from './graphql-schema.ts';

const MAX_LINES = 60;
const KEYWORDS = {
  object: 'type',
  input: 'input',
  enum: 'enum',
  interface: 'interface',
  union: 'union',
  scalar: 'scalar',
} as const;

/** Returns the definition of a type in SDL without the descriptions, which are shown beside it. Long ones are cut. */
export function definitionOf(type: GraphqlType): string {
  const applied = mark(type);
  const head = `${KEYWORDS[type.kind]} ${type.name}${type.kind === 'union' || type.kind === 'scalar' ? applied : ''}`;
  if (type.kind === 'scalar') return head;
  if (type.kind === 'union') {
    const members = type.members.map((one) => one.name.value);
    const short = `${head} = ${members.join(' | ')}`;
    return short.length <= 60 ? short : [`${head} =`, ...cut(members.map((name) => `  | ${name}`))].join('\n');
  }
  const implemented = type.interfaces.length > 0 ? ` implements ${type.interfaces.map((one) => one.name.value).join(' & ')}` : '';
  const lines =
    type.kind === 'enum'
      ? type.values.map((one) => `${one.name.value}${mark(one)}`)
      : type.kind === 'input'
        ? type.inputs.map((one) => `${print({ ...one, description: undefined, directives: [] })}${mark(one)}`)
        : type.fields.map((one) => `${fieldLine(one)}${mark(one)}`);
  return [`${head}${implemented}${applied} {`, ...cut(lines.map((line) => `  ${line}`)), '}'].join('\n');
}

function fieldLine(field: GraphqlType['fields'][number]): string {
  const inputs = (field.arguments ?? []).map((one) => print({ ...one, description: undefined, directives: [] }));
  const type = print(field.type);
  const short = inputs.length === 0 ? '' : `(${inputs.join(', ')})`;
  if (field.name.value.length + short.length + type.length <= 76) return `${field.name.value}${short}: ${type}`;
  return `${field.name.value}(\n${inputs.map((line) => `    ${line}`).join('\n')}\n  ): ${type}`;
}

/** The directives behind a name. */
function mark(node: Parameters<typeof directivesOf>[0]): string {
  const applied = directivesOf(node).map((one) => ` ${print(one)}`);
  return `${deprecationOf(node) === undefined ? '' : ' @deprecated'}${applied.join('')}`;
}

function cut(lines: readonly string[]): string[] {
  return lines.length <= MAX_LINES ? [...lines] : [...lines.slice(0, MAX_LINES), `  # ${lines.length - MAX_LINES} more`];
}
