import { flagAt, listAt, objectAt, textAt, valueAt } from '../api-reference/json-value.ts';
import type { CodeSample } from '../api-reference/samples/code-samples.ts';
import { partsText, typeParts } from './typedoc-type.ts';

const MAX_LINE = 80;
const MAX_CODE = 4_000;

/** `getUser(id: string, options?: Options): Promise<User>`, with one line per parameter if it is long. */
export function declarationOf(name: string, signature: unknown): string {
  const parameters = listAt(signature, 'parameters').map((one) => {
    const flags = objectAt(one, 'flags');
    const isOptional = flagAt(flags, 'isOptional') || valueAt(one, 'defaultValue') !== undefined;
    const rest = flagAt(flags, 'isRest') ? '...' : '';
    return `${rest}${parameterName(one)}${isOptional ? '?' : ''}: ${typeText(valueAt(one, 'type'))}`;
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

/** `Client<T, K extends string = "id">` */
export function nameWithParameters(name: string, raw: unknown): string {
  const all = [...listAt(raw, 'typeParameters'), ...listAt(raw, 'typeParameter')].map((one) => {
    const limit = valueAt(one, 'type');
    const fallback = valueAt(one, 'default');
    const bound = limit === undefined ? '' : ` extends ${typeText(limit)}`;
    return `${textAt(one, 'name') ?? 'T'}${bound}${fallback === undefined ? '' : ` = ${typeText(fallback)}`}`;
  });
  return all.length === 0 ? name : `${name}<${all.join(', ')}>`;
}

/** Destructured parameters have no name of their own. */
export function parameterName(parameter: unknown): string {
  const name = textAt(parameter, 'name') ?? '_';
  return name.startsWith('__namedParameters') ? 'options' : name;
}

/** `inherited from Base` */
export function inheritanceOf(raw: unknown): string[] {
  const [signature] = listAt(raw, 'signatures');
  const from = textAt(objectAt(raw, 'inheritedFrom') ?? objectAt(signature, 'inheritedFrom'), 'name');
  if (from === undefined) return [];
  const dot = from.lastIndexOf('.');
  return [`inherited from ${dot > 0 ? from.slice(0, dot) : from}`];
}

export function codeOf(code: string): CodeSample {
  return { language: 'typescript', label: '', code: code.length > MAX_CODE ? `${code.slice(0, MAX_CODE)}…` : code };
}

function typeText(type: unknown): string {
  return partsText(typeParts(type, () => undefined));
}
