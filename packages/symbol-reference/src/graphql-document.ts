import {
  plainView,
  type SchemaField,
  type TypePart,
} from '@docent/format/api-reference/schemas/schema-view.ts';
import {
  type DirectiveDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  print,
  type TypeNode,
} from 'graphql';
import { definitionOf, exampleOperation } from './graphql-example.ts';
import {
  deprecationOf,
  directivesOf,
  type GraphqlSchema,
  type GraphqlType,
  type GraphqlTypeKind,
  isRequired,
  namedType,
  type RootKind,
  readGraphqlSchema,
} from './graphql-schema.ts';
import {
  deprecationBlock,
  FreePaths,
  fieldBlocks,
  type SymbolBlock,
  type SymbolContent,
  type SymbolDocument,
  type SymbolEntry,
  summaryOf,
  symbolSlug,
  textBlock,
  titled,
  typesBlock,
} from './symbol-document.ts';

/** Menu groups of operations and types, in the order of the menu. */
const ROOT_GROUPS: ReadonlyMap<RootKind, string> = new Map([
  ['query', 'Queries'],
  ['mutation', 'Mutations'],
  ['subscription', 'Subscriptions'],
]);
const TYPE_GROUPS: ReadonlyMap<GraphqlTypeKind, string> = new Map([
  ['object', 'Objects'],
  ['interface', 'Interfaces'],
  ['union', 'Unions'],
  ['input', 'Inputs'],
  ['enum', 'Enums'],
  ['scalar', 'Scalars'],
]);

/** Kinds of documented types, as authors name them. */
const TYPE_KINDS: ReadonlySet<string> = new Set(['type', ...TYPE_GROUPS.keys()]);

const MAX_USES = 60;
const MAX_DIRECTIVE_CHARACTERS = 300;

type PathOf = (id: string) => string | undefined;

/**
 * Builds the reference of a GraphQL schema: a page for each query, mutation, subscription, named
 * type and directive.
 * @param text SDL, or the JSON of an introspection query
 * @throws Error that says what is invalid
 */
export function readGraphqlDocument(text: string): SymbolDocument {
  const schema = readGraphqlSchema(text);
  const { types, roots, directives } = schema;
  const symbols = new Map<
    string,
    { entry: SymbolEntry; content: (pathOf: PathOf) => SymbolContent }
  >();
  const paths = new FreePaths();
  const add = (
    kind: string,
    node: { name: { value: string }; description?: { value: string } | undefined } & Pick<
      FieldDefinitionNode,
      'directives'
    >,
    groups: readonly string[],
    folder: string,
    content: (pathOf: PathOf) => SymbolContent,
  ) => {
    const name = node.name.value;
    const id = `${kind} ${name}`;
    if (symbols.has(id)) return;
    const title = kind === 'directive' ? `@${name}` : name;
    const description = summaryOf(node.description?.value);
    const deprecated = deprecationOf(node) !== undefined;
    const path = paths.take(`${folder}/${symbolSlug(name)}`);
    symbols.set(id, { entry: { id, title, description, deprecated, groups, path }, content });
  };
  for (const [root, group] of ROOT_GROUPS) {
    for (const field of types.get(roots[root])?.fields ?? [])
      add(root, field, [group], group.toLowerCase(), (pathOf) =>
        operationContent(schema, root, field, pathOf),
      );
  }
  const rootNames = new Set<string>(Object.values(roots));
  for (const [kind, group] of TYPE_GROUPS) {
    for (const type of types.values()) {
      if (type.kind !== kind || rootNames.has(type.name)) continue;
      const node = { name: { value: type.name }, description: { value: type.description ?? '' } };
      add('type', node, ['Types', group], 'types', (pathOf) => typeContent(schema, type, pathOf));
    }
  }
  for (const directive of directives)
    add('directive', directive, ['Directives'], 'directives', (pathOf) =>
      directiveContent(directive, pathOf),
    );
  return {
    entries: [...symbols.values()].map(({ entry }) => entry),
    find: ({ kind, name }) => symbols.get(`${TYPE_KINDS.has(kind) ? 'type' : kind} ${name}`)?.entry,
    content(id, pathOf) {
      const symbol = symbols.get(id);
      if (!symbol) throw new RangeError(`The schema has no ${id}`);
      return symbol.content(pathOf);
    },
  };
}

function operationContent(
  schema: GraphqlSchema,
  root: RootKind,
  field: FieldDefinitionNode,
  pathOf: PathOf,
): SymbolContent {
  const blocks: SymbolBlock[] = [
    ...deprecationBlock(deprecationOf(field)),
    ...textBlock(field.description?.value),
  ];
  blocks.push(...directiveBlocks(field, pathOf));
  blocks.push(...argumentBlocks(field, pathOf), titled('Returns', 2));
  blocks.push({ kind: 'types', types: [typeParts(field.type, pathOf)] });
  const returned = schema.types.get(namedType(field.type));
  if (returned) blocks.push(...memberBlocks(schema, returned, 'returns', pathOf));
  const { operation, variables, response } = exampleOperation(schema, root, field);
  return {
    badge: root.toUpperCase(),
    name: signatureOf(field),
    deprecated: deprecationOf(field) !== undefined,
    blocks,
    requests: [
      { language: 'graphql', label: 'Operation', code: operation },
      ...(variables
        ? [{ language: 'json', label: 'Variables', code: JSON.stringify(variables, null, 2) }]
        : []),
    ],
    responses: [{ language: 'json', label: 'Response', code: JSON.stringify(response, null, 2) }],
  };
}

function typeContent(schema: GraphqlSchema, type: GraphqlType, pathOf: PathOf): SymbolContent {
  const blocks: SymbolBlock[] = [
    ...textBlock(type.description),
    ...textBlock(type.specifiedBy && `Specified by <${type.specifiedBy}>.`),
    ...typesBlock(
      'Implements',
      type.interfaces.map((interfaceType) => typeParts(interfaceType, pathOf)),
    ),
    ...directiveBlocks(type, pathOf),
  ];
  const members = memberBlocks(schema, type, type.kind === 'enum' ? 'value' : 'field', pathOf);
  const isList = type.kind === 'union' || type.kind === 'scalar';
  if (members.length > 0 && !isList)
    blocks.push(titled(type.kind === 'enum' ? 'Values' : 'Fields', 2));
  blocks.push(...members, ...useBlocks(schema, type.name, pathOf));
  return definitionContent(type.kind.toUpperCase(), type.name, blocks, definitionOf(type));
}

function directiveContent(directive: DirectiveDefinitionNode, pathOf: PathOf): SymbolContent {
  const blocks: SymbolBlock[] = [...textBlock(directive.description?.value)];
  blocks.push(...argumentBlocks(directive, pathOf));
  const locations = directive.locations.map(({ value }) => [{ text: value }]);
  blocks.push({
    kind: 'types',
    label: directive.repeatable ? 'Repeatable on' : 'On',
    types: locations,
  });
  const { description: _, ...bare } = directive;
  return definitionContent('DIRECTIVE', `@${directive.name.value}`, blocks, print(bare));
}

function memberBlocks(
  schema: GraphqlSchema,
  type: GraphqlType,
  prefix: string,
  pathOf: PathOf,
): SymbolBlock[] {
  const fields =
    type.kind === 'input'
      ? type.inputs.map((input) => inputField(input, pathOf))
      : type.kind === 'enum'
        ? type.values.map((value) => memberField(value.name.value, undefined, value, pathOf))
        : type.fields.map((field) => outputField(field, pathOf));
  const isUnion = type.kind === 'union';
  const names = isUnion
    ? type.members.map((member) => member.name.value)
    : (schema.uses.get(type.name)?.implementers ?? []);
  const types = names.map((name) => [namedPart(name, pathOf)]);
  return [
    ...typesBlock(isUnion ? 'One of' : 'Implemented by', types),
    ...(fields.length > 0 ? [{ kind: 'fields' as const, prefix, fields }] : []),
  ];
}

function useBlocks(schema: GraphqlSchema, name: string, pathOf: PathOf): SymbolBlock[] {
  const uses = schema.uses.get(name);
  const linked = (ids: Iterable<string> = []) =>
    [...ids]
      .slice(0, MAX_USES)
      .map((id): TypePart[] => [{ text: id.slice(id.indexOf(' ') + 1), path: pathOf(id) }]);
  const blocks = [
    ...typesBlock('Returned by', linked(uses?.returned)),
    ...typesBlock('Accepted by', linked(uses?.accepted)),
  ];
  return blocks.length > 0 ? [titled('Used by', 2), ...blocks] : [];
}

/** The content of a page that shows a definition beside the text. */
function definitionContent(
  badge: string,
  name: string,
  blocks: SymbolBlock[],
  code: string,
): SymbolContent {
  const requests = [{ language: 'graphql', label: 'Definition', code }];
  return { badge, name, deprecated: false, blocks, requests, responses: [] };
}

/** `user(id: ID!)`; long argument lists are shown below, so only short ones are included. */
function signatureOf(field: FieldDefinitionNode): string {
  const inputs = (field.arguments ?? [])
    .map((argument) => `${argument.name.value}: ${print(argument.type)}`)
    .join(', ');
  const whole = `${field.name.value}${inputs === '' ? '' : `(${inputs})`}: ${print(field.type)}`;
  return whole.length <= 100 ? whole : `${field.name.value}(…): ${print(field.type)}`;
}

function argumentBlocks(
  node: FieldDefinitionNode | DirectiveDefinitionNode,
  pathOf: PathOf,
): SymbolBlock[] {
  return fieldBlocks(
    'Arguments',
    2,
    'argument',
    (node.arguments ?? []).map((argument) => inputField(argument, pathOf)),
  );
}

/** What the schema's own directives say of something, with links to their pages. */
function directiveBlocks(node: Parameters<typeof directivesOf>[0], pathOf: PathOf): SymbolBlock[] {
  const types = directivesOf(node).map((directive): TypePart[] => {
    const text = `@${directive.name.value}`;
    const rest = print(directive).slice(text.length, MAX_DIRECTIVE_CHARACTERS);
    return [
      { text, path: pathOf(`directive ${directive.name.value}`) },
      ...(rest === '' ? [] : [{ text: rest }]),
    ];
  });
  return typesBlock('Directives', types);
}

function outputField(field: FieldDefinitionNode, pathOf: PathOf): SchemaField {
  const member = memberField(field.name.value, field.type, field, pathOf);
  member.schema.fields = (field.arguments ?? []).map((argument) => inputField(argument, pathOf));
  return member;
}

function inputField(input: InputValueDefinitionNode, pathOf: PathOf): SchemaField {
  const member = memberField(input.name.value, input.type, input, pathOf);
  if (input.defaultValue)
    member.schema.facts.push({ label: 'Default', value: print(input.defaultValue).slice(0, 300) });
  return { ...member, required: isRequired(input) };
}

function memberField(
  name: string,
  type: TypeNode | undefined,
  node: Pick<FieldDefinitionNode, 'directives' | 'description'>,
  pathOf: PathOf,
): SchemaField {
  const schema = plainView(type ? print(type) : '');
  if (type) schema.typeParts = typeParts(type, pathOf);
  const reason = deprecationOf(node);
  schema.deprecated = reason !== undefined;
  for (const directive of directivesOf(node))
    schema.facts.push({
      label: 'Directive',
      value: print(directive).slice(0, MAX_DIRECTIVE_CHARACTERS),
    });
  const text = [node.description?.value ?? '', reason ? `**Deprecated:** ${reason}` : ''].filter(
    (part) => part.trim() !== '',
  );
  if (text.length > 0) schema.description = text.join('\n\n');
  return { name, required: false, schema };
}

function typeParts(type: TypeNode, pathOf: PathOf): TypePart[] {
  const text = print(type);
  const name = namedType(type);
  const at = text.indexOf(name);
  return [
    ...(at > 0 ? [{ text: text.slice(0, at) }] : []),
    namedPart(name, pathOf),
    ...(at + name.length < text.length ? [{ text: text.slice(at + name.length) }] : []),
  ];
}

function namedPart(text: string, pathOf: PathOf): TypePart {
  return { text, path: pathOf(`type ${text}`) };
}
