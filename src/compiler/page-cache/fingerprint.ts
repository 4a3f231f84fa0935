import { hash, randomUUID } from 'node:crypto';

const MAX_PLAIN_LENGTH = 40;

/**
 * Returns a text that is equal only for equal answers. Values that cannot be compared (a function, a promise, a cycle) get a new
 * text every time, so that nothing that depends on them ever counts as unchanged.
 */
export function fingerprintOf(answer: unknown): string {
  if (answer === undefined) return 'none';
  if (typeof answer === 'boolean' || answer === null) return String(answer);
  if (answer instanceof Uint8Array) return `bytes ${hash('sha256', answer, 'base64url')}`;
  if (typeof answer === 'string') return answer.length <= MAX_PLAIN_LENGTH ? `"${answer}` : hash('sha256', answer, 'base64url');
  try {
    return `json ${hash('sha256', JSON.stringify(answer, comparable), 'base64url')}`;
  } catch {
    return `unlike ${randomUUID()}`;
  }
}

/** JSON supports neither maps nor sets; it drops functions and promises, which would make different values equal. */
function comparable(_key: string, value: unknown): unknown {
  if (typeof value === 'function' || value instanceof Promise || value instanceof WeakMap) throw new TypeError('not comparable');
  if (value instanceof Map) return { map: [...value] };
  if (value instanceof Set) return { set: [...value] };
  return value;
}
