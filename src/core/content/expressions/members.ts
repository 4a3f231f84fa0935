import { NodesValue } from '../expand/content-node.ts';
import { arrayMethods } from './arrays.ts';
import { ExpressionError } from './error.ts';
import { inLocale } from './locale.ts';
import { RegexValue } from './regex.ts';
import { stringMethods } from './strings.ts';
import { Native, ObjectValue, toNumber, toText, type Value } from './value.ts';

function toFixed(value: number, [digits]: readonly Value[]): string {
  return value.toFixed(Math.min(100, Math.max(0, Math.trunc(toNumber(digits)) || 0)));
}

function numberMember(value: number, key: string): Value {
  if (key === 'toFixed') return new Native(key, (args) => toFixed(value, args));
  if (key === 'toLocaleString')
    return new Native(key, (args) => inLocale(args, (locale, options) => value.toLocaleString(locale, options)));
  if (key === 'toString')
    return new Native(key, ([radix]) =>
      value.toString(radix === undefined ? 10 : Math.min(36, Math.max(2, toNumber(radix) || 10))),
    );
  return undefined;
}

function stringMember(source: string, key: string): Value {
  if (key === 'length') return source.length;
  const method = stringMethods.get(key);
  if (method) return new Native(key, (args, caller) => method(source, args, caller));
  return /^\d+$/.test(key) ? source[Number(key)] : undefined;
}

function arrayMember(items: Value[], key: string): Value {
  if (key === 'length') return items.length;
  const method = arrayMethods.get(key);
  if (method) return new Native(key, (args, caller) => method(items, args, caller));
  // Matches of a regular expression have an index.
  if (key === 'index' && Object.hasOwn(items, 'index')) return (items as unknown as RegExpExecArray).index;
  return /^\d+$/.test(key) ? items[Number(key)] : undefined;
}

function regexMember(value: RegexValue, key: string): Value {
  if (key === 'lastIndex') return value.lastIndex;
  if (key === 'test') return new Native(key, ([text], caller) => value.exec(toText(text, caller), caller) !== null);
  return key === 'exec' ? new Native(key, ([text], caller) => value.exec(toText(text, caller), caller)) : undefined;
}

/**
 * Returns the member of a value: data of the author, or a supported method. Nothing else is reachable, whatever the key. Throws
 * for `null` and `undefined`, as JavaScript does.
 */
export function memberOf(value: Value, key: string): Value {
  if (value === null || value === undefined) throw new ExpressionError('failed', `"${key}" is read from ${value}`);
  if (typeof value === 'string') return stringMember(value, key);
  if (typeof value === 'number') return numberMember(value, key);
  if (typeof value === 'boolean') return key === 'toString' ? new Native(key, () => String(value)) : undefined;
  if (Array.isArray(value)) return arrayMember(value, key);
  if (value instanceof RegexValue) return regexMember(value, key);
  if (value instanceof Native && !value.fields.has(key)) {
    throw new ExpressionError('needs-browser', `"${value.name}.${key}" is not available on the server`, key);
  }
  if (value instanceof ObjectValue || value instanceof Native) return value.fields.get(key);
  if (value instanceof NodesValue && (key === 'props' || key === 'type'))
    throw new ExpressionError('needs-browser', `"${key}" of JSX is known only when it is rendered`, key);
  return undefined;
}
