import { NodesValue } from '../nodes/content-node.ts';
import { ObjectValue, Personal, type Value } from './value.ts';

/** JavaScript, with JSX of the page in its places. */
type Code = Personal['code'];

/** Of one expression, in characters; a chain of constants could double it again and again. */
const MAX_CODE_LENGTH = 20_000;

/** A value that cannot be written as code, such as a function. */
class Unwritable extends Error {}

/** Writes an expression; values in it become code in parentheses. */
export function code(texts: TemplateStringsArray, ...values: Value[]): Code {
  return texts.flatMap((text, index) =>
    index < values.length ? [text, ...codeOf(values[index])] : [text],
  );
}

/** Joins the codes of a list with commas. */
export function codeOfList(values: readonly Value[]): Code {
  return values.flatMap((value) => [...codeOf(value), ',']);
}

function codeOf(value: Value): Code {
  if (value instanceof Personal) return ['(', ...value.code, ')'];
  if (value instanceof NodesValue) return [value];
  if (Array.isArray(value)) return ['[', ...codeOfList(value), ']'];
  if (value instanceof ObjectValue && !value.frozen) {
    const fields = [...value.fields].flatMap(([key, field]) => [
      `[${JSON.stringify(key)}]:`,
      ...codeOf(field),
      ',',
    ]);
    return ['({', ...fields, '})'];
  }
  if (typeof value === 'number') return [`(${value})`];
  if (value === null || typeof value !== 'object') return [JSON.stringify(value) ?? 'undefined'];
  throw new Unwritable();
}

/**
 * Returns the result of an operation on something that depends on the reader.
 * @param value the result for nobody in particular
 * @param write returns the operation as code; if it cannot be written, `value` is for everybody
 * @param onFixed called in that case
 */
export function personal(value: Value, write: () => Code, onFixed: () => void): Value {
  try {
    const pieces = write();
    const length = pieces.reduce(
      (sum, piece) => sum + (typeof piece === 'string' ? piece.length : 1),
      0,
    );
    if (length <= MAX_CODE_LENGTH) return new Personal(pieces, value);
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error;
  }
  onFixed();
  return value;
}

/** Returns a value as it is for nobody in particular. */
export function forNobody(value: Value): Value {
  return value instanceof Personal ? value.value : value;
}
