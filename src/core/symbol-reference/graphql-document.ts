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
  deprecationBlock,
  FreePaths,
  type SymbolBlock,
  type SymbolContent,
  type SymbolDocument,
  type SymbolEntry,
  type SymbolName,
  summaryOf,
  symbolSlug,
  textBlock,
  titled,
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
        const node = { name: { value: type.name }, description: { value: type.description ?? '' } };
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
    this.#byId.set(id, { entry: { id, title, description, deprecated, groups, path }, content });
  }

  #operation(root: RootKind, field: FieldDefinitionNode, pathOf: PathOf): SymbolContent {
    const blocks: SymbolBlock[] = [...deprecationBlock(deprecationOf(field)), ...textBlock(field.description?.value)];
    blocks.push(...directiveBlocks(field, pathOf));
    blocks.push(...argumentBlocks(field, pathOf), titled('Returns', 2));
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
    const blocks: SymbolBlock[] = [...textBlock(type.description)];
    if (type.specifiedBy !== undefined) blocks.push({ kind: 'text', markdown: `Specified by <${type.specifiedBy}>.` });
    if (type.interfaces.length > 0) {
      const types = type.interfaces.map((one) => typeParts(one, pathOf));
      blocks.push({ kind: 'types', label: 'Implements', types });
    }
    blocks.push(...directiveBlocks(type, pathOf));
    const members = this.#members(type, type.kind === 'enum' ? 'value' : 'field', pathOf);
    const isList = type.kind === 'union' || type.kind === 'scalar';
    if (members.length > 0 && !isList) blocks.push(titled(type.kind === 'enum' ? 'Values' : 'Fields', 2));
    blocks.push(...members, ...this.#usesOf(type.name, pathOf));
    return definitionContent(type.kind.toUpperCase(), type.name, blocks, definitionOf(type));
  }

  #directive(directive: DirectiveDefinitionNode, pathOf: PathOf): SymbolContent {
    const blocks: SymbolBlock[] = [...textBlock(directive.description?.value)];
    blocks.push(...argumentBlocks(directive, pathOf));
    const locations = directive.locations.map(({ value }) => [{ text: value }]);
    blocks.push({ kind: 'types', label: directive.repeatable ? 'Repeatable on' : 'On', types: locations });
    const { description: _, ...bare } = directive;
    return definitionContent('DIRECTIVE', `@${directive.name.value}`, blocks, print(bare));
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
      const types = kinds.map((name) => [namedPart(name, pathOf)]);
      blocks.unshift({ kind: 'types', label: type.kind === 'union' ? 'One of' : 'Implemented by', types });
    }
    return blocks;
  }

  #usesOf(name: string, pathOf: PathOf): SymbolBlock[] {
    const { returned, accepted } = this.#usesIndex().of(name);
    const blocks: SymbolBlock[] = [];
    const linked = (ids: ReadonlySet<string>) =>
      [...ids].slice(0, MAX_USES).map((id): TypePart[] => [{ text: id.slice(id.indexOf(' ') + 1), path: pathOf(id) }]);
    if (returned.size + accepted.size > 0) blocks.push(titled('Used by', 2));
    if (returned.size > 0) blocks.push({ kind: 'types', label: 'Returned by', types: linked(returned) });
    if (accepted.size > 0) blocks.push({ kind: 'types', label: 'Accepted by', types: linked(accepted) });
    return blocks;
  }

  #usesIndex(): GraphqlUses {
    this.#uses ??= new GraphqlUses(this.#schema);
    return this.#uses;
  }
}

/** The content of a page that shows a definition beside the text. */
function definitionContent(badge: string, name: string, blocks: SymbolBlock[], code: string): SymbolContent {
  const requests = [{ language: 'graphql', label: 'Definition', code }];
  return { badge, name, deprecated: false, blocks, requests, responses: [] };
}

/** `user(id: ID!)`; long argument lists are shown below, so only short ones are included. */
function signatureOf(field: FieldDefinitionNode): string {
  const inputs = (field.arguments ?? []).map((one) => `${one.name.value}: ${print(one.type)}`).join(', ');
  const whole = `${field.name.value}${inputs === '' ? '' : `(${inputs})`}: ${print(field.type)}`;
  return whole.length <= 100 ? whole : `${field.name.value}(…): ${print(field.type)}`;
}

function argumentBlocks(node: FieldDefinitionNode | DirectiveDefinitionNode, pathOf: PathOf): SymbolBlock[] {
  const fields = (node.arguments ?? []).map((one) => inputField(one, pathOf));
  return fields.length === 0 ? [] : [titled('Arguments', 2), { kind: 'fields', prefix: 'argument', fields }];
}

/** What the schema's own directives say of something, with links to their pages. */
function directiveBlocks(node: Parameters<typeof directivesOf>[0], pathOf: PathOf): SymbolBlock[] {
  const types = directivesOf(node).map((one): TypePart[] => {
    const text = `@${one.name.value}`;
    const rest = print(one).slice(text.length, MAX_DIRECTIVE_CHARACTERS);
    return [{ text, path: pathOf(`directive ${one.name.value}`) }, ...(rest === '' ? [] : [{ text: rest }])];
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
    namedPart(name, pathOf),
    ...(at + name.length < text.length ? [{ text: text.slice(at + name.length) }] : []),
  ];
}

function namedPart(text: string, pathOf: PathOf): TypePart {
  return { text, path: pathOf(`type ${text}`) };
}
