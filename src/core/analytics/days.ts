export const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day of a time: `2026-11-22`. */
export function isoDayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** When a UTC day begins. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** The beginning of the UTC day of a time. */
export function floorDay(at: Date): Date {
  return startOfDay(isoDayOf(at));
}

/** The first beginning of a UTC day that is not before a time. */
export function ceilDay(at: Date): Date {
  const floor = floorDay(at);
  return floor.getTime() === at.getTime() ? at : new Date(floor.getTime() + DAY_MS);
}
