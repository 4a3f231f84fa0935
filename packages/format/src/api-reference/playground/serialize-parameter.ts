import { isObject } from '../../json-value.ts';
import type { ParameterInput } from '../request-inputs.ts';

type Serialized = Pick<ParameterInput, 'name' | 'style' | 'explode' | 'allowReserved' | 'isJson'>;

/** Returns a value on one line: texts as they are, everything else as JSON. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Percent-encodes (RFC 3986). Lone surrogates cannot be encoded and are replaced. */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Keeps reserved characters, except those that would end the value. */
function encodeReserved(text: string): string {
  return encode(text).replace(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/g, (encoded) =>
    decodeURIComponent(encoded),
  );
}

function pairsOf(value: object): [string, string][] {
  return Object.entries(value).map(([key, item]) => [key, plainText(item)]);
}

/**
 * Returns a path parameter as it appears in the path (OpenAPI: styles `simple`, `label` and
 * `matrix`). Encoded, so that a value is never more than one segment.
 */
export function pathText(parameter: Serialized, value: unknown): string {
  const { name, style = 'simple', explode = false } = parameter;
  const between = style === 'label' ? '.' : style === 'matrix' ? ';' : ',';
  const start = style === 'label' || style === 'matrix' ? between : '';
  const named = style === 'matrix' ? `${encode(name)}=` : '';
  if (parameter.isJson) return start + named + encode(JSON.stringify(value));
  if (Array.isArray(value)) {
    const items = value.map((item) => encode(plainText(item)));
    return explode
      ? start + items.map((item) => named + item).join(between)
      : start + named + items.join(',');
  }
  if (isObject(value)) {
    const pairs = pairsOf(value).map(([key, item]) => [encode(key), encode(item)]);
    if (explode) return start + pairs.map((pair) => pair.join('=')).join(between);
    return start + named + pairs.flat().join(',');
  }
  return start + named + encode(plainText(value));
}

/**
 * A query parameter as encoded `name=value` pairs (OpenAPI: `form`, `spaceDelimited`,
 * `pipeDelimited`, `deepObject`).
 */
export function queryPairs(parameter: Serialized, value: unknown): string[] {
  const { name, style = 'form' } = parameter;
  const explode = parameter.explode ?? style === 'form';
  const write = parameter.allowReserved ? encodeReserved : encode;
  const pair = (key: string, text: string): string => `${encode(key)}=${text}`;
  if (parameter.isJson) return [pair(name, write(JSON.stringify(value)))];
  if (style === 'deepObject' && typeof value === 'object' && value !== null) {
    return deepPairs(name, value).map(
      ([key, text]) => `${encode(key).replace(/%5B/g, '[').replace(/%5D/g, ']')}=${write(text)}`,
    );
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => write(plainText(item)));
    if (explode) return items.map((item) => pair(name, item));
    return items.length === 0 ? [] : [pair(name, items.join(delimiterOf(style)))];
  }
  if (isObject(value)) {
    const pairs = pairsOf(value);
    if (explode) return pairs.map(([key, item]) => pair(key, write(item)));
    return pairs.length === 0 ? [] : [pair(name, pairs.flat().map(write).join(delimiterOf(style)))];
  }
  return [pair(name, write(plainText(value)))];
}

function delimiterOf(style: string): string {
  if (style === 'spaceDelimited') return '%20';
  return style === 'pipeDelimited' ? '%7C' : ',';
}

/** `filter[a][b]=1`; the items of a list share their name, as most servers read it. */
export function deepPairs(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) {
    return value.flatMap((item) =>
      isObject(item) ? deepPairs(name, item) : [[name, plainText(item)] as [string, string]],
    );
  }
  if (!isObject(value)) return [[name, plainText(value)]];
  return Object.entries(value).flatMap(([key, item]) => deepPairs(`${name}[${key}]`, item));
}

/** A header or a cookie (OpenAPI: `simple`, `form`): not encoded, and on one line. */
export function headerText(parameter: Serialized, value: unknown): string {
  return oneLine(headerValue(parameter, value));
}

function headerValue({ explode = false, isJson }: Serialized, value: unknown): string {
  if (isJson) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(plainText).join(',');
  if (!isObject(value)) return plainText(value);
  return pairsOf(value)
    .map((pair) => pair.join(explode ? '=' : ','))
    .join(',');
}

/** Removes line ends, which headers must not contain. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ').trim();
}
