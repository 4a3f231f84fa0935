declare global {
  var __docentShared: Record<string, unknown> | undefined;
}

/**
 * Returns state that all scripts of a document share, although each has its own copy of a module:
 * its parts are loaded by different scripts, some of them only on demand.
 */
export function shared<State>(name: string, create: () => State): State {
  globalThis.__docentShared ??= {};
  const states = globalThis.__docentShared;
  states[name] ??= create();
  return states[name] as State;
}
