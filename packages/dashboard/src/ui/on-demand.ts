/** The code of a page or a dialog is needed, but the server cannot be reached. */
export class NotLoadedError extends Error {
  /** Makes the next attempt load it again. */
  forget: () => void = () => {};

  constructor() {
    super(
      'You are offline, and this part of the dashboard is not loaded yet. It opens as soon as you are connected again.',
    );
    this.name = 'NotLoadedError';
  }
}

/**
 * Loads a module. If the server has its modules no more, because it was updated, the page is loaded
 * again.
 * @throws NotLoadedError if the server cannot be reached
 */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (typeof window === 'undefined') throw error;
    const isReachable = navigator.onLine && (await fetch('/v1/session').then(Boolean, () => false));
    if (!isReachable) throw new NotLoadedError();
    // Once: a module that cannot be loaded at all is a fault.
    const mark = `docent-reload:${location.pathname}`;
    if (sessionStorage.getItem(mark) !== null) throw error;
    sessionStorage.setItem(mark, '1');
    location.reload();
    return new Promise(() => {});
  }
}

const later: (() => Promise<unknown>)[] = [];

/** Loads a module once the page is idle, so that what needs it also works offline. */
export function loadWhenIdle(load: () => Promise<unknown>): void {
  later.push(load);
}

/** Loads, one after the other, what `loadWhenIdle` was told, unless the user wants to save data. */
export async function loadOnDemandModules(): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  for (const load of later) {
    await whenIdle();
    await load().catch(() => {});
  }
}

function whenIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(resolve);
    else setTimeout(resolve, 200);
  });
}
