import {
  type DirectiveDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  print,
  type TypeNode,
} from 'graphql';
import { plainView, type SchemaField, type TypePart } from '../api-reference/markup/schema-view.ts';
import { definitionOf, exampleOperation } from './graphql-example.ts';
import {
  deprecationOf,
  directivesOf,
  type GraphqlSchema,
  type GraphqlType,
  type GraphqlTypeKind,
  GraphqlUses,
  isRequired,
  namedType,
  type RootKind,
  readGraphqlSchema,
} from './graphql-schema.ts';
import {
  FreePaths,
  type SymbolBlock,
  type SymbolContent,
  type SymbolDocument,
  type SymbolEntry,
  type SymbolName,
  summaryOf,
  symbolSlug,
} from './symbol-document.ts';

const ROOTS: readonly { root: RootKind; group: string; folder: string }[] = [
  { root: 'query', group: 'Queries', folder: 'queries' },
  { root: 'mutation', group: 'Mutations', folder: 'mutations' },
  { root: 'subscription', group: 'Subscriptions', folder: 'subscriptions' },
];

const TYPE_GROUPS: readonly { kind: GraphqlTypeKind; group: string }[] = [
  { kind: 'object', group: 'Objects' },
  { kind: 'interface', group: 'Interfaces' },
  { kind: 'union', group: 'Unions' },
  { kind: 'input', group: 'Inputs' },
  { kind: 'enum', group: 'Enums' },
  { kind: 'scalar', group: 'Scalars' },
];

/** Kinds of documented symbols, as authors name them. */
const TYPE_KINDS = new Set(['type', ...TYPE_GROUPS.map(({ kind }) => kind)]);

const MAX_USES = 60;
const MAX_DIRECTIVE_CHARACTERS = 300;

type PathOf = (id: string) => string | undefined;

/**
 * Builds the reference of a GraphQL schema: a page for each query, mutation, subscription, named type and directive.
 * @param text SDL, or the JSON of an introspection query
 * @throws Error that says what is invalid
 */
export function readGraphqlDocument(text: string, file: string): SymbolDocument {
  return new GraphqlDocument(readGraphqlSchema(text), file);
}

class GraphqlDocument implements SymbolDocument {
  readonly file: string;
  readonly entries: readonly SymbolEntry[];
  readonly #schema: GraphqlSchema;
  readonly #byId = new Map<string, { entry: SymbolEntry; content: (pathOf: PathOf) => SymbolContent }>();
  #uses: GraphqlUses | undefined;

  constructor(schema: GraphqlSchema, file: string) {
    this.#schema = schema;
    this.file = file;
    this.#addAll(new FreePaths());
    this.entries = [...this.#byId.values()].map(({ entry }) => entry);
  }

  entry(id: string): SymbolEntry | undefined {
    return this.#byId.get(id)?.entry;
  }

  find({ kind, name }: SymbolName): SymbolEntry | undefined {
    return this.entry(`${TYPE_KINDS.has(kind) ? 'type' : kind} ${name}`);
  }

  content(id: string, pathOf: PathOf): SymbolContent {
    const found = this.#byId.get(id);
    if (!found) throw new RangeError(`The schema has no ${id}`);
    return found.content(pathOf);
  }

  #addAll(paths: FreePaths): void {
    const { types, roots, directives } = this.#schema;
    for (const { root, group, folder } of ROOTS) {
      for (const field of types.get(roots[root])?.fields ?? []) {
        const path = paths.take(`${folder}/${symbolSlug(field.name.value)}`);
        this.#add(root, field, [group], path, (pathOf) => this.#operation(root, field, pathOf));
      }
    }
    const rootNames = new Set<string>(Object.values(roots));
    for (const { kind, group } of TYPE_GROUPS) {
      for (const type of types.values()) {
        if (type.kind !== kind || rootNames.has(type.name)) continue;
        const path = paths.take(`types/${symbolSlug(type.name)}`);
        const node = { name: { value: type.name }, ...(type.description ? { description: { value: type.description } } : {}) };
        this.#add('type', node, ['Types', group], path, (pathOf) => this.#type(type, pathOf));
      }
    }
    for (const directive of directives) {
      const path = paths.take(`directives/${symbolSlug(directive.name.value)}`);
      this.#add('directive', directive, ['Directives'], path, (pathOf) => this.#directive(directive, pathOf));
    }
  }

  #add(
    kind: string,
    node: { name: { value: string }; description?: { value: string } | undefined } & Pick<FieldDefinitionNode, 'directives'>,
    groups: readonly string[],
    path: string,
    content: (pathOf: PathOf) => SymbolContent,
  ): void {
    const name = node.name.value;
    const id = `${kind} ${name}`;
    if (this.#byId.has(id)) return;
    const description = summaryOf(node.description?.value);
    const title = kind === 'directive' ? `@${name}` : name;
    const deprecated = deprecationOf(node) !== undefined;
    const entry: SymbolEntry = { id, title, deprecated, groups, path, ...(description === undefined ? {} : { description }) };
    this.#byId.set(id, { entry, content });
  }

  #operation(root: RootKind, field: FieldDefinitionNode, pathOf: PathOf): SymbolContent {
    const blocks: SymbolBlock[] = [...deprecationBlocks(field), ...textBlocks(field.description?.value)];
    blocks.push(...directiveBlocks(field, pathOf));
    const inputs = field.arguments ?? [];
    if (inputs.length > 0) {
      blocks.push({ kind: 'heading', depth: 2, text: 'Arguments' });
      blocks.push({ kind: 'fields', prefix: 'argument', fields: inputs.map((one) => inputField(one, pathOf)) });
    }
    blocks.push({ kind: 'heading', depth: 2, text: 'Returns' });
    blocks.push({ kind: 'types', types: [typeParts(field.type, pathOf)] });
    const returned = this.#schema.types.get(namedType(field.type));
    if (returned) blocks.push(...this.#members(returned, 'returns', pathOf));
    const { operation, variables, response } = exampleOperation(this.#schema, root, field);
    return {
      badge: root.toUpperCase(),
      name: signatureOf(field),
      deprecated: deprecationOf(field) !== undefined,
      blocks,
      requests: [
        { language: 'graphql', label: 'Operation', code: operation },
        ...(variables ? [{ language: 'json', label: 'Variables', code: JSON.stringify(variables, null, 2) }] : []),
      ],
      responses: [{ language: 'json', label: 'Response', code: JSON.stringify(response, null, 2) }],
    };
  }

  #type(type: GraphqlType, pathOf: PathOf): SymbolContent {
    const blocks: SymbolBlock[] = [...textBlocks(type.description)];
    if (type.specifiedBy !== undefined) blocks.push({ kind: 'text', markdown: `Specified by <${type.specifiedBy}>.` });
    if (type.interfaces.length > 0) {
      const types = type.interfaces.map((one) => typeParts(one, pathOf));
      blocks.push({ kind: 'types', label: 'Implements', types });
    }
    blocks.push(...directiveBlocks(type, pathOf));
    const members = this.#members(type, type.kind === 'enum' ? 'value' : 'field', pathOf);
    const isList = type.kind === 'union' || type.kind === 'scalar';
    if (members.length > 0 && !isList)
      blocks.push({ kind: 'heading', depth: 2, text: type.kind === 'enum' ? 'Values' : 'Fields' });
    blocks.push(...members, ...this.#usesOf(type.name, pathOf));
    const definition = definitionOf(type);
    return {
      badge: type.kind.toUpperCase(),
      name: type.name,
      deprecated: false,
      blocks,
      requests: [{ language: 'graphql', label: 'Definition', code: definition }],
      responses: [],
    };
  }

  #directive(directive: DirectiveDefinitionNode, pathOf: PathOf): SymbolContent {
    const blocks: SymbolBlock[] = [...textBlocks(directive.description?.value)];
    const inputs = directive.arguments ?? [];
    if (inputs.length > 0) {
      blocks.push({ kind: 'heading', depth: 2, text: 'Arguments' });
      blocks.push({ kind: 'fields', prefix: 'argument', fields: inputs.map((one) => inputField(one, pathOf)) });
    }
    const locations = directive.locations.map(({ value }) => [{ text: value }]);
    blocks.push({ kind: 'types', label: directive.repeatable ? 'Repeatable on' : 'On', types: locations });
    const { description: _, ...bare } = directive;
    return {
      badge: 'DIRECTIVE',
      name: `@${directive.name.value}`,
      deprecated: false,
      blocks,
      requests: [{ language: 'graphql', label: 'Definition', code: print(bare) }],
      responses: [],
    };
  }

  #members(type: GraphqlType, prefix: string, pathOf: PathOf): SymbolBlock[] {
    const fields =
      type.kind === 'input'
        ? type.inputs.map((one) => inputField(one, pathOf))
        : type.kind === 'enum'
          ? type.values.map((one) => memberField(one.name.value, undefined, one, pathOf))
          : type.fields.map((one) => outputField(one, pathOf));
    const blocks: SymbolBlock[] = fields.length > 0 ? [{ kind: 'fields', prefix, fields }] : [];
    const kinds = type.kind === 'union' ? type.members.map((one) => one.name.value) : this.#usesIndex().implementers(type.name);
    if (kinds.length > 0) {
      const types = kinds.map((name) => namedParts(name, pathOf));
      blocks.unshift({ kind: 'types', label: type.kind === 'union' ? 'One of' : 'Implemented by', types });
    }
    return blocks;
  }

  #usesOf(name: string, pathOf: PathOf): SymbolBlock[] {
    const { returned, accepted } = this.#usesIndex().of(name);
    const blocks: SymbolBlock[] = [];
    const linked = (ids: readonly string[]) =>
      ids.slice(0, MAX_USES).map((id): TypePart[] => {
        const path = pathOf(id);
        const text = id.slice(id.indexOf(' ') + 1);
        return [path === undefined ? { text } : { text, path }];
      });
    if (returned.length + accepted.length > 0) blocks.push({ kind: 'heading', depth: 2, text: 'Used by' });
    if (returned.length > 0) blocks.push({ kind: 'types', label: 'Returned by', types: linked(returned) });
    if (accepted.length > 0) blocks.push({ kind: 'types', label: 'Accepted by', types: linked(accepted) });
    return blocks;
  }

  #usesIndex(): GraphqlUses {
    this.#uses ??= new GraphqlUses(this.#schema);
    return this.#uses;
  }
}

/** `user(id: ID!)`; long argument lists are shown below, so only short ones are included. */
function signatureOf(field: FieldDefinitionNode): string {
  const inputs = (field.arguments ?? []).map((one) => `${one.name.value}: ${print(one.type)}`).join(', ');
  const whole = `${field.name.value}${inputs === '' ? '' : `(${inputs})`}: ${print(field.type)}`;
  return whole.length <= 100 ? whole : `${field.name.value}(…): ${print(field.type)}`;
}

function textBlocks(markdown: string | undefined): SymbolBlock[] {
  return markdown === undefined || markdown.trim() === '' ? [] : [{ kind: 'text', markdown }];
}

function deprecationBlocks(node: Pick<FieldDefinitionNode, 'directives'>): SymbolBlock[] {
  const reason = deprecationOf(node);
  return reason === undefined ? [] : [{ kind: 'deprecation', markdown: reason }];
}

/** What the schema's own directives say of something, with links to their pages. */
function directiveBlocks(node: Parameters<typeof directivesOf>[0], pathOf: PathOf): SymbolBlock[] {
  const types = directivesOf(node).map((one): TypePart[] => {
    const name = `@${one.name.value}`;
    const path = pathOf(`directive ${one.name.value}`);
    const rest = print(one).slice(name.length, MAX_DIRECTIVE_CHARACTERS);
    return [path === undefined ? { text: name } : { text: name, path }, ...(rest === '' ? [] : [{ text: rest }])];
  });
  return types.length > 0 ? [{ kind: 'types', label: 'Directives', types }] : [];
}

function outputField(field: FieldDefinitionNode, pathOf: PathOf): SchemaField {
  const member = memberField(field.name.value, field.type, field, pathOf);
  member.schema.fields = (field.arguments ?? []).map((one) => inputField(one, pathOf));
  return member;
}

function inputField(input: InputValueDefinitionNode, pathOf: PathOf): SchemaField {
  const member = memberField(input.name.value, input.type, input, pathOf);
  if (input.defaultValue) member.schema.facts.push({ label: 'Default', value: print(input.defaultValue).slice(0, 300) });
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
  for (const one of directivesOf(node))
    schema.facts.push({ label: 'Directive', value: print(one).slice(0, MAX_DIRECTIVE_CHARACTERS) });
  const text = [node.description?.value ?? '', reason ? `**Deprecated:** ${reason}` : ''].filter((part) => part.trim() !== '');
  if (text.length > 0) schema.description = text.join('\n\n');
  return { name, required: false, schema };
}

function typeParts(type: TypeNode, pathOf: PathOf): TypePart[] {
  const text = print(type);
  const name = namedType(type);
  const at = text.indexOf(name);
  return [
    ...(at > 0 ? [{ text: text.slice(0, at) }] : []),
    ...namedParts(name, pathOf),
    ...(at + name.length < text.length ? [{ text: text.slice(at + name.length) }] : []),
  ];
}

function namedParts(name: string, pathOf: PathOf): TypePart[] {
  const path = pathOf(`type ${name}`);
  return [path === undefined ? { text: name } : { text: name, path }];
}
