import type { CodeSample } from '@docent/format/api-reference/samples/code-samples.ts';
import { plainView, type SchemaField } from '@docent/format/api-reference/schemas/schema-view.ts';
import {
  flagAt,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from '@docent/format/json-value.ts';
import { type LinkResolver, readComment, type TypedocComment } from './typedoc-comment.ts';
import { kindOf, partsText, typeParts } from './typedoc-type.ts';

const MAX_DEPTH = 4;
const MAX_TYPE_CHARACTERS = 60;

/**
 * A parameter of a function. Its description is on the parameter, or in older versions on the
 * function.
 */
export function parameterField(
  raw: JsonObject,
  of: TypedocComment,
  links: LinkResolver,
): SchemaField {
  const name = parameterName(raw);
  const field = fieldOf(name, raw, valueAt(raw, 'type'), links, 0);
  field.schema.description ??= of.parameters.get(textAt(raw, 'name') ?? '') || undefined;
  const flags = objectAt(raw, 'flags');
  const isOptional =
    flagAt(flags, 'isOptional') ||
    flagAt(flags, 'isRest') ||
    valueAt(raw, 'defaultValue') !== undefined;
  return { ...field, required: !isOptional };
}

export function typeParameterField(
  raw: JsonObject,
  of: TypedocComment,
  links: LinkResolver,
): SchemaField {
  const name = textAt(raw, 'name') ?? 'T';
  const field = fieldOf(name, raw, valueAt(raw, 'type'), links, MAX_DEPTH);
  if (field.schema.type !== '') {
    field.schema.type = `extends ${field.schema.type}`;
    field.schema.typeParts = [{ text: 'extends ' }, ...(field.schema.typeParts ?? [])];
  }
  field.schema.description ??= of.typeParameters.get(name) || undefined;
  const fallback = valueAt(raw, 'default');
  if (fallback !== undefined)
    field.schema.facts.push({
      label: 'Default',
      value: partsText(typeParts(fallback, () => undefined)),
    });
  return field;
}

/** A property, an accessor, a member of an enum, a method of an object, an index signature. */
export function memberField(raw: JsonObject, links: LinkResolver, depth = 0): SchemaField {
  const getter = objectAt(raw, 'getSignature') ?? listAt(raw, 'getSignature').find(isObject);
  const setter = objectAt(raw, 'setSignature') ?? listAt(raw, 'setSignature').find(isObject);
  const [method] = listAt(raw, 'signatures').filter(isObject);
  const holder = getter ?? setter ?? method ?? raw;
  const flags = objectAt(raw, 'flags');
  const [key] = listAt(raw, 'parameters');
  const isIndex = textAt(raw, 'name') === '__index';
  const name = isIndex ? `[${textAt(key, 'name') ?? 'key'}]` : (textAt(raw, 'name') ?? '');
  const type =
    valueAt(raw, 'type') ??
    valueAt(getter, 'type') ??
    valueAt(listAt(setter, 'parameters')[0], 'type');
  const field = fieldOf(name, holder, type, links, depth);
  const { schema } = field;
  if (kindOf(raw) === 'enumMember' && type === undefined) {
    // Before 0.23 the value of a member is its default, as text.
    schema.type = textAt(raw, 'defaultValue') ?? '';
    schema.facts = [];
  }
  if (method && holder === method) {
    schema.type = declarationOf('', method);
    delete schema.typeParts;
  }
  const comment = readComment(raw, links);
  if (schema.description === undefined && comment.summary !== '')
    schema.description = comment.summary;
  if (comment.deprecated !== undefined) schema.deprecated = true;
  schema.readOnly = flagAt(flags, 'isReadonly') || (getter !== undefined && setter === undefined);
  schema.labelsAfter = labelsOf(raw, ['isOptional', 'isStatic', 'isProtected', 'isAbstract']);
  return field;
}

function fieldOf(
  name: string,
  holder: JsonObject,
  type: unknown,
  links: LinkResolver,
  depth: number,
): SchemaField {
  const comment = readComment(holder, links);
  const parts = type === undefined ? [] : typeParts(type, (id) => links.pathOfReflection(id));
  const schema = plainView(partsText(parts));
  schema.typeParts = parts;
  const note = comment.deprecated ? `**Deprecated:** ${comment.deprecated}` : '';
  const texts = [comment.summary, ...comment.remarks, note, ...comment.examples].filter(
    (text) => text !== '',
  );
  if (texts.length > 0) schema.description = texts.join('\n\n');
  schema.deprecated = comment.deprecated !== undefined;
  const members = listAt(objectAt(type, 'declaration'), 'children').filter(isObject);
  if (members.length > 0 && depth < MAX_DEPTH) {
    schema.fields = members.map((member) => memberField(member, links, depth + 1));
    if (schema.type.length > MAX_TYPE_CHARACTERS) {
      schema.type = 'object';
      delete schema.typeParts;
    }
  }
  const fallback = comment.defaultValue || (textAt(holder, 'defaultValue') ?? '');
  if (fallback !== '' && fallback !== '...' && fallback !== schema.type)
    schema.facts.push({ label: 'Default', value: fallback.slice(0, 300) });
  return { name, required: false, schema };
}

const MAX_LINE = 80;
const MAX_CODE = 4_000;

/**
 * `getUser(id: string, options?: Options): Promise<User>`, with one line per parameter if it is long.
 */
export function declarationOf(name: string, signature: unknown): string {
  const parameters = listAt(signature, 'parameters').map((parameter) => {
    const flags = objectAt(parameter, 'flags');
    const isOptional =
      flagAt(flags, 'isOptional') || valueAt(parameter, 'defaultValue') !== undefined;
    const rest = flagAt(flags, 'isRest') ? '...' : '';
    return `${rest}${parameterName(parameter)}${isOptional ? '?' : ''}: ${typeText(valueAt(parameter, 'type'))}`;
  });
  const returned = valueAt(signature, 'type');
  // A constructor repeats the type parameters of its class.
  const isConstructor = name.startsWith('new ');
  const end = returned === undefined || isConstructor ? '' : `: ${typeText(returned)}`;
  const head = isConstructor ? name : nameWithParameters(name, signature);
  const short = `${head}(${parameters.join(', ')})${end}`;
  return short.length <= MAX_LINE || parameters.length === 0
    ? short
    : `${head}(\n${parameters.map((line) => `  ${line},\n`).join('')})${end}`;
}

/** The type parameters of a reflection; `typeParameter` before 0.24. */
export function typeParametersOf(raw: unknown): JsonObject[] {
  return [...listAt(raw, 'typeParameters'), ...listAt(raw, 'typeParameter')].filter(isObject);
}

/** `Client<T, K extends string = "id">` */
export function nameWithParameters(name: string, raw: unknown): string {
  const all = typeParametersOf(raw).map((typeParameter) => {
    const limit = valueAt(typeParameter, 'type');
    const fallback = valueAt(typeParameter, 'default');
    const bound = limit === undefined ? '' : ` extends ${typeText(limit)}`;
    return `${textAt(typeParameter, 'name') ?? 'T'}${bound}${fallback === undefined ? '' : ` = ${typeText(fallback)}`}`;
  });
  return all.length === 0 ? name : `${name}<${all.join(', ')}>`;
}

/** Destructured parameters have no name of their own. */
function parameterName(parameter: unknown): string {
  const name = textAt(parameter, 'name') ?? '_';
  return name.startsWith('__namedParameters') ? 'options' : name;
}

/**
 * The flags of a reflection that are set, and where it is inherited from: `static`, `inherited from
 * Base`.
 */
export function labelsOf(raw: unknown, flags: readonly string[]): string[] {
  const set = flags
    .filter((flag) => flagAt(objectAt(raw, 'flags'), flag))
    .map((flag) => flag.slice(2).toLowerCase());
  const [signature] = listAt(raw, 'signatures');
  const from = textAt(
    objectAt(raw, 'inheritedFrom') ?? objectAt(signature, 'inheritedFrom'),
    'name',
  );
  return from === undefined ? set : [...set, `inherited from ${/^(.+)\./.exec(from)?.[1] ?? from}`];
}

export function codeOf(code: string): CodeSample {
  return {
    language: 'typescript',
    label: '',
    code: code.length > MAX_CODE ? `${code.slice(0, MAX_CODE)}…` : code,
  };
}

function typeText(type: unknown): string {
  return partsText(typeParts(type, () => undefined));
}
