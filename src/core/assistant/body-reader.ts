import { DocentError, type FieldError } from '../errors.ts';

const MAX_ERRORS = 20;

/**
 * Reads an untrusted JSON value and collects errors. `null` counts as absent. Only own properties are read, so `__proto__` is an
 * ordinary key.
 */
export class BodyReader {
  private readonly errors: FieldError[] = [];

  fail(path: string, message: string): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ path, message });
  }

  object(value: unknown, path: string): Record<string, unknown> | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    this.fail(path, `Must be an object, not ${nameOfType(value)}.`);
    return undefined;
  }

  optionalObject(parent: Record<string, unknown>, key: string, path: string): Record<string, unknown> | undefined {
    const value = property(parent, key);
    return value === undefined ? undefined : this.object(value, `${path}/${key}`);
  }

  optionalArray(parent: Record<string, unknown>, key: string, path: string): unknown[] | undefined {
    const value = property(parent, key);
    if (value === undefined || Array.isArray(value)) return value;
    this.fail(`${path}/${key}`, `Must be an array, not ${nameOfType(value)}.`);
    return undefined;
  }

  optionalString(parent: Record<string, unknown>, key: string, path: string): string | undefined {
    const value = property(parent, key);
    if (value === undefined || typeof value === 'string') return value;
    this.fail(`${path}/${key}`, `Must be a string, not ${nameOfType(value)}.`);
    return undefined;
  }

  requiredString(parent: Record<string, unknown>, key: string, path: string): string | undefined {
    if (property(parent, key) === undefined) this.fail(`${path}/${key}`, 'Is required.');
    return this.optionalString(parent, key, path);
  }

  optionalNumber(parent: Record<string, unknown>, key: string, path: string): number | undefined {
    const value = property(parent, key);
    if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
    this.fail(`${path}/${key}`, `Must be a number, not ${nameOfType(value)}.`);
    return undefined;
  }

  /** @throws DocentError `invalid_request` if there were errors */
  throwIfFailed(): void {
    const [first] = this.errors;
    if (first === undefined) return;
    const place = first.path === '' ? 'the body' : first.path;
    throw new DocentError('invalid_request', `The request body is not valid at ${place}: ${first.message}`, {
      errors: this.errors,
    });
  }
}

/** Returns an own property; `undefined` if it is absent or `null`. */
export function property(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}

function nameOfType(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
