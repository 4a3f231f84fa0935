import { AsyncLocalStorage } from 'node:async_hooks';
import { isOutage } from '@docent/format/outages.ts';

interface Call {
  outage?: unknown;
}

const calls = new AsyncLocalStorage<Call>();

/** Any object with asynchronous methods. */
type Methods = object;

/** Returns the object with each of its methods called by `around`. */
function withMethods<Target extends Methods>(
  target: Target,
  around: (call: () => unknown) => unknown,
): Target {
  return new Proxy(target, {
    get(methods, name, receiver) {
      const method = Reflect.get(methods, name, receiver) as unknown;
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => around(() => method.apply(receiver, args));
    },
  });
}

/**
 * Returns what the library stores data with; it notes when the database is away, which the library
 * replaces by errors of its own.
 */
export function notingOutages<Target extends Methods>(storage: Target): Target {
  return withMethods(storage, (call) => {
    const result = call();
    if (result instanceof Promise) result.catch(note);
    return result;
  });
}

function note(error: unknown): void {
  const call = calls.getStore();
  if (call && isOutage(error)) call.outage ??= error;
}

/** Returns the object; a method that fails because the database is away throws that error. */
export function throwingOutages<Target extends Methods>(accounts: Target): Target {
  return withMethods(accounts, (method) => {
    const call: Call = {};
    return calls.run(call, () => {
      const result = method();
      // What needs no database answers at once.
      if (!(result instanceof Promise)) return result;
      return result.catch((error: unknown) => {
        throw call.outage ?? error;
      });
    });
  });
}
