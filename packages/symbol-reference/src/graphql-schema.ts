import { objectAt } from '@docent/format/json-value.ts';
import {
  type ASTNode,
  buildClientSchema,
  type ConstDirectiveNode,
  type DirectiveDefinitionNode,
  type DocumentNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  GraphQLError,
  type InputValueDefinitionNode,
  type IntrospectionQuery,
  Kind,
  type NamedTypeNode,
  parse,
  printSchema,
  type TypeDefinitionNode,
  type TypeExtensionNode,
  type TypeNode,
} from 'graphql';

/**
 * More than the largest public schemas have; larger ones are rejected, so that reading is bounded.
 */
const MAX_TOKENS = 3_000_000;

const KINDS = ['object', 'input', 'enum', 'interface', 'union', 'scalar'] as const;

export type GraphqlTypeKind = (typeof KINDS)[number];
export type RootKind = 'query' | 'mutation' | 'subscription';

/** A named type with its definition and its extensions merged. */
export interface GraphqlType {
  kind: GraphqlTypeKind;
  name: string;
  description?: string;
  interfaces: NamedTypeNode[];
  fields: FieldDefinitionNode[];
  inputs: InputValueDefinitionNode[];
  values: EnumValueDefinitionNode[];
  /** Of a union. */
  members: NamedTypeNode[];
  /** Of its definition and its extensions. */
  directives: ConstDirectiveNode[];
  specifiedBy?: string;
}

export interface GraphqlSchema {
  types: ReadonlyMap<string, GraphqlType>;
  directives: readonly DirectiveDefinitionNode[];
  /** The names of the root types. */
  roots: Readonly<Record<RootKind, string>>;
  /** By the name of a type; absent for a type without uses. */
  uses: ReadonlyMap<string, TypeUses>;
}

/** The uses of a type. */
interface TypeUses {
  /** Ids of operations and types with a field of the type. */
  returned: Set<string>;
  /** Ids of operations and inputs with an argument or field of the type. */
  accepted: Set<string>;
  /** Names of the types that implement it. */
  implementers: string[];
}

/**
 * Parses a schema: definitions in SDL, or the result of an introspection query as JSON. As lenient
 * as servers: unknown types and directives stay names, and extensions count without the type that
 * they extend.
 * @throws Error that says what is invalid; a `GraphQLError` has the position
 */
export function readGraphqlSchema(text: string): GraphqlSchema {
  const content = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const isJson = /^\s*\{\s*(?:["}])/.test(content);
  return collect(
    parse(isJson ? sdlOf(JSON.parse(content)) : content, {
      noLocation: isJson,
      maxTokens: MAX_TOKENS,
    }),
  );
}

function sdlOf(json: unknown): string {
  const schema = objectAt(json, '__schema') ?? objectAt(objectAt(json, 'data'), '__schema');
  if (!schema)
    throw new GraphQLError(
      'The JSON has no "__schema", which the result of an introspection query has',
    );
  return printSchema(
    buildClientSchema({ __schema: schema } as unknown as IntrospectionQuery, { assumeValid: true }),
  );
}

/**
 * Returns the kind of type that a node defines or extends: `ObjectTypeDefinition`,
 * `InputObjectTypeExtension`.
 */
function kindOf(node: ASTNode): GraphqlTypeKind | undefined {
  return KINDS.find((kind) => node.kind.toLowerCase().startsWith(kind));
}

function collect(document: DocumentNode): GraphqlSchema {
  const types = new Map<string, GraphqlType>();
  const directives: DirectiveDefinitionNode[] = [];
  const roots = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION) {
      for (const { operation, type } of definition.operationTypes ?? [])
        roots[operation] = type.name.value;
    } else if (definition.kind === Kind.DIRECTIVE_DEFINITION) directives.push(definition);
    else {
      const kind = kindOf(definition);
      if (kind) addType(types, kind, definition as TypeDefinitionNode | TypeExtensionNode);
    }
  }
  for (const type of types.values()) removeRepeated(type);
  return { types, directives, roots, uses: findUses(types, roots) };
}

function addType(
  types: Map<string, GraphqlType>,
  kind: GraphqlTypeKind,
  node: TypeDefinitionNode | TypeExtensionNode,
): void {
  const name = node.name.value;
  let type = types.get(name);
  if (!type) {
    type = {
      kind,
      name,
      interfaces: [],
      fields: [],
      inputs: [],
      values: [],
      members: [],
      directives: [],
    };
    types.set(name, type);
  }
  if ('description' in node && node.description) type.description = node.description.value;
  const specifiedBy = node.directives?.find((directive) => directive.name.value === 'specifiedBy')
    ?.arguments?.[0]?.value;
  if (specifiedBy?.kind === Kind.STRING) type.specifiedBy = specifiedBy.value;
  type.directives.push(...(node.directives ?? []));
  if ('interfaces' in node) type.interfaces.push(...(node.interfaces ?? []));
  if ('values' in node) type.values.push(...(node.values ?? []));
  if ('types' in node) type.members.push(...(node.types ?? []));
  if (
    node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION ||
    node.kind === Kind.INPUT_OBJECT_TYPE_EXTENSION
  )
    type.inputs.push(...(node.fields ?? []));
  else if ('fields' in node)
    type.fields.push(...((node.fields ?? []) as readonly FieldDefinitionNode[]));
}

/** Schemas merged from several services define some members more than once. */
function removeRepeated(type: GraphqlType): void {
  type.interfaces = distinct(type.interfaces);
  type.fields = distinct(type.fields);
  type.inputs = distinct(type.inputs);
  type.values = distinct(type.values);
  type.members = distinct(type.members);
}

function distinct<Node extends { readonly name: { readonly value: string } }>(
  nodes: readonly Node[],
): Node[] {
  return [...new Map(nodes.map((node) => [node.name.value, node])).values()];
}

/** Returns the name without list brackets and exclamation marks. */
export function namedType(type: TypeNode): string {
  let inner = type;
  while (inner.kind !== Kind.NAMED_TYPE) inner = inner.type;
  return inner.name.value;
}

/** Returns whether a request must provide the value. */
export function isRequired(input: InputValueDefinitionNode): boolean {
  return input.type.kind === Kind.NON_NULL_TYPE && input.defaultValue === undefined;
}

/**
 * Returns why something is deprecated; an empty text if the schema gives no reason, undefined if it
 * is not.
 */
export function deprecationOf(node: Pick<FieldDefinitionNode, 'directives'>): string | undefined {
  const directive = node.directives?.find((candidate) => candidate.name.value === 'deprecated');
  if (!directive) return undefined;
  const reason = directive.arguments?.find((argument) => argument.name.value === 'reason')?.value;
  return reason?.kind === Kind.STRING ? reason.value.trim() : '';
}

/** The page shows these in a place of their own. */
const SHOWN_ELSEWHERE = new Set(['deprecated', 'specifiedBy']);

/** The directives that a schema puts on something, such as `@auth(requires: ADMIN)`. */
export function directivesOf(node: {
  readonly directives?: readonly ConstDirectiveNode[] | undefined;
}): ConstDirectiveNode[] {
  return (node.directives ?? []).filter((directive) => !SHOWN_ELSEWHERE.has(directive.name.value));
}

function findUses(
  types: GraphqlSchema['types'],
  roots: GraphqlSchema['roots'],
): Map<string, TypeUses> {
  const uses = new Map<string, TypeUses>();
  const of = (name: string): TypeUses => {
    const typeUses = uses.get(name) ?? {
      returned: new Set(),
      accepted: new Set(),
      implementers: [],
    };
    uses.set(name, typeUses);
    return typeUses;
  };
  const rootOf = new Map(Object.entries(roots).map(([root, name]) => [name, root]));
  // Operations come before types, because readers look up a type for them.
  for (const type of [...types.values()].sort(
    (a, b) => Number(rootOf.has(b.name)) - Number(rootOf.has(a.name)),
  )) {
    const root = rootOf.get(type.name);
    for (const field of type.fields) {
      const user = root === undefined ? `type ${type.name}` : `${root} ${field.name.value}`;
      if (namedType(field.type) !== type.name) of(namedType(field.type)).returned.add(user);
      for (const input of field.arguments ?? []) of(namedType(input.type)).accepted.add(user);
    }
    for (const input of type.inputs) {
      if (namedType(input.type) !== type.name)
        of(namedType(input.type)).accepted.add(`type ${type.name}`);
    }
    for (const member of type.members) of(member.name.value).returned.add(`type ${type.name}`);
    for (const { name } of type.interfaces) of(name.value).implementers.push(type.name);
  }
  return uses;
}
