/** Properties that React and promises read of any value. */
const ASKED_OF_ALL = new Set([
  '__esModule',
  'prototype',
  'then',
  'toJSON',
  'defaultProps',
  'contextType',
  'displayName',
]);

interface MissingModules {
  /** Runs the code of a script's modules, which may use a missing one without consequences. */
  load<Result>(run: () => Result): Result;
  /**
   * Returns what represents a module that cannot be imported. Using anything of it, other than what
   * is kept, throws the reason; while modules load it gives another missing value.
   */
  missing(reason: string, kept?: Readonly<Record<PropertyKey, unknown>>): unknown;
}

/**
 * Represents the modules that scripts with components cannot import. Files may use them as soon as
 * they load (`const client = new Client()`), which must not stop the components that do without.
 */
export function missingModules(): MissingModules {
  let isLoading = false;

  function load<Result>(run: () => Result): Result {
    isLoading = true;
    try {
      return run();
    } finally {
      isLoading = false;
    }
  }

  function missing(reason: string, kept: Readonly<Record<PropertyKey, unknown>> = {}): unknown {
    const otherwiseThrow = (value: unknown): unknown => {
      if (isLoading) return value;
      throw new Error(reason);
    };
    // Not an arrow function: files call it with `new`, too, and extend it.
    function use(): unknown {
      return otherwiseThrow(missing(reason));
    }
    // The bundler copies a module's own properties and keeps inherited ones, so everything is
    // inherited.
    const inherited = new Proxy(Object.create(null) as object, {
      get: (_, key) => {
        if (key === Symbol.toPrimitive) return () => otherwiseThrow('');
        if (typeof key === 'symbol' || ASKED_OF_ALL.has(key)) return undefined;
        return Object.hasOwn(kept, key) ? kept[key] : missing(reason);
      },
    });
    return Object.setPrototypeOf(use, inherited);
  }

  return { load, missing };
}
