import type { SchemaField, TypePart } from '@docent/format/api-reference/schemas/schema-view.ts';
import {
  flagAt,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from '@docent/format/json-value.ts';
import {
  deprecationBlock,
  fieldBlocks,
  type SymbolBlock,
  type SymbolContent,
  textBlock,
  titled,
  typesBlock,
} from './symbol-document.ts';
import { type LinkResolver, readComment, type TypedocComment } from './typedoc-comment.ts';
import {
  codeOf,
  declarationOf,
  labelsOf,
  memberField,
  nameWithParameters,
  parameterField,
  typeParameterField,
  typeParametersOf,
} from './typedoc-fields.ts';
import {
  GROUPS,
  indexSignatures,
  kindOf,
  partsText,
  type ReflectionKind,
  typeParts,
} from './typedoc-type.ts';

/** A reflection with a possible page. */
export interface Reflection {
  id: string;
  kind: ReflectionKind;
  /** Qualified by its namespaces or its class: `Client.getUser`. */
  name: string;
  raw: JsonObject;
}

const HIERARCHY = [
  ['extendedTypes', 'Extends'],
  ['implementedTypes', 'Implements'],
  ['extendedBy', 'Extended by'],
  ['implementedBy', 'Implemented by'],
] as const;

/** The order of what a module contains. */
const LISTED = [
  'module',
  'namespace',
  'class',
  'interface',
  'function',
  'type',
  'enum',
  'variable',
] as const;

/** Writes the pages of a library. */
export class TypedocWriter {
  readonly #links: LinkResolver;

  constructor(links: LinkResolver) {
    this.#links = links;
  }

  content({ kind, name, raw }: Reflection): SymbolContent {
    const comment = readComment(raw, this.#links);
    const blocks = this.#blocks(kind, name, raw, comment);
    const source = sourceOf(raw);
    if (source) blocks.push(source);
    return {
      badge: kind === 'enumMember' ? 'ENUM MEMBER' : kind.toUpperCase(),
      name: nameWithParameters(name, raw),
      deprecated: comment.deprecated !== undefined,
      blocks,
      requests: [],
      responses: [],
    };
  }

  #blocks(
    kind: ReflectionKind,
    name: string,
    raw: JsonObject,
    comment: TypedocComment,
  ): SymbolBlock[] {
    const short = name.slice(name.lastIndexOf('.') + 1);
    switch (kind) {
      case 'function':
      case 'method':
        return this.#callable(short, raw, kind === 'function' ? 'function ' : '');
      case 'document':
        return textBlock(documentText(raw));
      case 'module':
      case 'namespace':
        return [...this.#texts(comment, true), ...this.#listing(raw)];
      case 'enum': {
        const fields = this.#fields(listAt(raw, 'children'));
        return [
          ...this.#texts(comment, true),
          titled('Members', 2),
          { kind: 'fields', prefix: 'member', fields },
        ];
      }
      case 'class':
      case 'interface':
        return this.#classLike(kind, raw, comment);
      default:
        return this.#value(kind, short, raw, comment);
    }
  }

  #classLike(kind: ReflectionKind, raw: JsonObject, comment: TypedocComment): SymbolBlock[] {
    const blocks = [...this.#texts(comment, false)];
    for (const [key, label] of HIERARCHY) {
      const types = listAt(raw, key).map((type) => this.#type(type));
      blocks.push(...typesBlock(label, types));
    }
    blocks.push(...this.#typeParameters(raw, comment, 2), ...this.#examples(comment, 2));
    const members = listAt(raw, 'children').filter(isObject).filter(isShown);
    const of = (memberKind: ReflectionKind) =>
      members.filter((member) => kindOf(member) === memberKind);
    for (const maker of of('constructor')) {
      blocks.push(
        titled('Constructor', 2),
        ...this.#signatures(`new ${textAt(raw, 'name') ?? ''}`, maker),
      );
    }
    const calls = listAt(raw, 'signatures');
    if (calls.length > 0) blocks.push(titled('Call signatures', 2), ...this.#signatures('', raw));
    const fields = this.#fields([...of('property'), ...of('accessor'), ...indexSignatures(raw)]);
    blocks.push(...fieldBlocks('Properties', 2, 'property', fields));
    const methods = of('method');
    if (methods.length > 0) blocks.push(titled('Methods', 2));
    for (const method of methods) blocks.push(...this.#method(method, kind));
    return blocks;
  }

  #method(raw: JsonObject, holder: ReflectionKind): SymbolBlock[] {
    const name = textAt(raw, 'name') ?? '';
    const flags = [
      'isStatic',
      'isProtected',
      ...(holder === 'interface' ? [] : ['isAbstract']),
      'isOptional',
    ];
    const labels = labelsOf(raw, flags);
    const all = listAt(raw, 'signatures').map((signature) => readComment(signature, this.#links));
    const deprecated = all.length > 0 && all.every((comment) => comment.deprecated !== undefined);
    return [
      { kind: 'heading', depth: 3, text: name, deprecated, labels },
      ...this.#signatures(name, raw),
    ];
  }

  /** Signatures, one after the other, below a heading of depth 2 or 3. */
  #signatures(name: string, raw: JsonObject): SymbolBlock[] {
    return listAt(raw, 'signatures').flatMap((signature) =>
      this.#signature(name, signature, undefined),
    );
  }

  #callable(name: string, raw: JsonObject, prefix: string): SymbolBlock[] {
    const signatures = listAt(raw, 'signatures');
    if (signatures.length < 2)
      return signatures.flatMap((signature) => this.#signature(prefix + name, signature, 2));
    return signatures.flatMap((signature, index) => [
      titled(`Overload ${index + 1}`, 2),
      ...this.#signature(prefix + name, signature, undefined),
    ]);
  }

  /** @param depth of the headings of its parts; absent: labels */
  #signature(name: string, signature: unknown, depth: 2 | undefined): SymbolBlock[] {
    const comment = readComment(signature, this.#links);
    const isConstructor = name.startsWith('new ');
    const blocks: SymbolBlock[] = [
      ...deprecationBlock(comment.deprecated),
      { kind: 'code', sample: codeOf(declarationOf(name, signature)) },
      ...this.#prose(comment),
      ...(isConstructor ? [] : this.#typeParameters(signature, comment, depth)),
    ];
    const parameters = listAt(signature, 'parameters').filter(isObject);
    const fields = parameters.map((parameter) => parameterField(parameter, comment, this.#links));
    blocks.push(...fieldBlocks('Parameters', depth, 'parameter', fields));
    const returned = valueAt(signature, 'type');
    if (returned !== undefined && !isConstructor && !(isVoid(returned) && comment.returns === '')) {
      const types = [this.#type(returned)];
      if (depth) blocks.push(titled('Returns', depth), { kind: 'types', types });
      else blocks.push({ kind: 'types', label: 'Returns', types });
      blocks.push(...textBlock(comment.returns));
    }
    for (const text of comment.throws) blocks.push(titled('Throws', depth), ...textBlock(text));
    return [...blocks, ...this.#examples(comment, depth)];
  }

  /** A type, a variable or a property. */
  #value(
    kind: ReflectionKind,
    name: string,
    raw: JsonObject,
    comment: TypedocComment,
  ): SymbolBlock[] {
    const type = valueAt(raw, 'type') ?? valueAt(objectAt(raw, 'getSignature'), 'type');
    const ownComment =
      comment.summary === ''
        ? readComment(valueAt(raw, 'getSignature') ?? raw, this.#links)
        : comment;
    const parts = this.#type(type);
    const whole = nameWithParameters(name, raw);
    const code =
      kind === 'type'
        ? `type ${whole} = ${partsText(parts)}`
        : `${kind === 'variable' ? 'const ' : ''}${whole}: ${partsText(parts)}`;
    const blocks: SymbolBlock[] = [
      ...deprecationBlock(ownComment.deprecated),
      { kind: 'code', sample: codeOf(code) },
      ...this.#prose(ownComment),
      ...this.#typeParameters(raw, ownComment, 2),
    ];
    if (parts.some(({ path }) => path !== undefined))
      blocks.push({ kind: 'types', label: 'Type', types: [parts] });
    const declaration = objectAt(type, 'declaration');
    const fields = this.#fields(listAt(declaration ?? raw, 'children'));
    blocks.push(...fieldBlocks('Properties', 2, 'property', fields));
    const [call] = listAt(declaration, 'signatures');
    if (call !== undefined) blocks.push(...this.#signature(name, call, 2));
    return [...blocks, ...this.#examples(ownComment, 2)];
  }

  /** The contents of a module or a namespace, with links. */
  #listing(raw: JsonObject): SymbolBlock[] {
    const children = listAt(raw, 'children').filter(isObject);
    return LISTED.flatMap((kind) => {
      const lines = children
        .filter((child) => kindOf(child) === kind)
        .map((child) => {
          const name = textAt(child, 'name') ?? '';
          const path = this.#links.pathOfReflection(Number(valueAt(child, 'id')));
          const comment = readComment(listAt(child, 'signatures')[0] ?? child, this.#links);
          const summary = comment.summary.split(/\n\s*\n/, 1)[0]?.replace(/\s+/g, ' ') ?? '';
          const code = `\`${name.replaceAll('`', '')}\``;
          return `- ${path === undefined ? code : `[${code}](${path})`}${summary === '' ? '' : `: ${summary}`}`;
        });
      return lines.length > 0
        ? [titled(GROUPS.get(kind) ?? 'Modules', 2), ...textBlock(lines.join('\n'))]
        : [];
    });
  }

  #typeParameters(raw: unknown, comment: TypedocComment, depth: 2 | undefined): SymbolBlock[] {
    const fields = typeParametersOf(raw).map((typeParameter) =>
      typeParameterField(typeParameter, comment, this.#links),
    );
    return fieldBlocks('Type parameters', depth, 'type-parameter', fields);
  }

  #texts(comment: TypedocComment, withExamples: boolean): SymbolBlock[] {
    return [
      ...deprecationBlock(comment.deprecated),
      ...this.#prose(comment),
      ...(withExamples ? this.#examples(comment, 2) : []),
    ];
  }

  #prose(comment: TypedocComment): SymbolBlock[] {
    const labels = comment.labels.length > 0 ? `_${comment.labels.join(', ')}_` : '';
    const since = comment.since.map((text) => `Since ${text}`);
    const see = comment.see.map((text) => `See ${text.replace(/^- /, '')}`);
    return textBlock(
      [labels, comment.summary, ...comment.remarks, ...since, ...see]
        .filter((text) => text !== '')
        .join('\n\n'),
    );
  }

  #examples(comment: TypedocComment, depth: 2 | undefined): SymbolBlock[] {
    if (comment.examples.length === 0) return [];
    const title = comment.examples.length === 1 ? 'Example' : 'Examples';
    return [titled(title, depth), ...comment.examples.flatMap((text) => textBlock(text))];
  }

  #fields(members: readonly unknown[]): SchemaField[] {
    return members.filter(isObject).map((member) => memberField(member, this.#links));
  }

  #type(type: unknown): TypePart[] {
    return typeParts(type, (id) => this.#links.pathOfReflection(id));
  }
}

/** Private members are not usable, and members of other packages are documented there. */
function isShown(member: JsonObject): boolean {
  const flags = objectAt(member, 'flags');
  const inherited = valueAt(member, 'inheritedFrom') !== undefined;
  return !flagAt(flags, 'isPrivate') && !(inherited && flagAt(flags, 'isExternal'));
}

function isVoid(type: unknown): boolean {
  return textAt(type, 'type') === 'intrinsic' && textAt(type, 'name') === 'void';
}

/** Link to the source code, if it is on the web. */
function sourceOf(raw: JsonObject): SymbolBlock | undefined {
  const [source] = listAt(raw, 'sources');
  const path = textAt(source, 'url');
  if (path === undefined || !/^https:\/\//i.test(path)) return undefined;
  const line = textAt(source, 'line');
  const text = `${textAt(source, 'fileName') ?? path}${line === undefined ? '' : `:${line}`}`;
  return { kind: 'types', label: 'Defined in', types: [[{ text, path }]] };
}

/** A document in the library's output; its content is a text or the parts of one. */
function documentText(raw: JsonObject): string {
  return listAt(raw, 'content')
    .map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join('');
}
