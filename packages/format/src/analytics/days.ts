export const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the UTC day of a time: `2026-11-22`. */
export function isoDayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Returns the start of a UTC day. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** Returns the start of the UTC day of a time. */
export function floorDay(at: Date): Date {
  return startOfDay(isoDayOf(at));
}

/** Returns the first start of a UTC day at or after a time. */
export function ceilDay(at: Date): Date {
  const floor = floorDay(at);
  return floor.getTime() === at.getTime() ? at : new Date(floor.getTime() + DAY_MS);
}
