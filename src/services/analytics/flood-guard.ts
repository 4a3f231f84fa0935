const MINUTE_MS = 60_000;
/** Per visitor and minute: far more than a person causes. */
const PER_VISITOR = 200;
/** Per address and minute, whatever its user agents: an office behind one address stays below it. */
const PER_ADDRESS = 3000;
/** Maximum entries per minute; beyond it, new visitors are not counted. */
const MAX_VISITORS = 100_000;
const RELOAD_MS = 5000;

interface SeenVisitor {
  events: number;
  path: string;
  viewedAt: number;
}

/** Keeps one client from being counted without limit, and a reload from counting twice. Per process. */
export interface FloodGuard {
  allows(visitor: string, address: string): boolean;
  /**
   * Records a view; returns false if it only repeats the last one. @param startedAt when its document started loading; undefined:
   * no reload
   */
  isNewView(visitor: string, view: { path: string; at: number; startedAt: number | undefined }): boolean;
}

export function createFloodGuard(now: () => number): FloodGuard {
  let minute = 0;
  let seen = new Map<string, SeenVisitor>();
  let before = new Map<string, SeenVisitor>();
  let addresses = new Map<string, number>();

  function turn(): void {
    const current = Math.floor(now() / MINUTE_MS);
    if (current === minute) return;
    before = current === minute + 1 ? seen : new Map();
    seen = new Map();
    addresses = new Map();
    minute = current;
  }

  return {
    allows(visitor, address) {
      turn();
      const ofAddress = (addresses.get(address) ?? 0) + 1;
      const known = seen.get(visitor);
      if (ofAddress > PER_ADDRESS || (known?.events ?? 0) >= PER_VISITOR || (!known && seen.size >= MAX_VISITORS)) return false;
      addresses.set(address, ofAddress);
      if (known) known.events += 1;
      else seen.set(visitor, { path: '', viewedAt: 0, ...before.get(visitor), events: 1 });
      return true;
    },
    isNewView(visitor, { path, at, startedAt }) {
      const known = seen.get(visitor);
      const repeats = startedAt !== undefined && known?.path === path && startedAt - known.viewedAt <= RELOAD_MS;
      if (known) Object.assign(known, { path, viewedAt: at });
      return !repeats;
    },
  };
}
