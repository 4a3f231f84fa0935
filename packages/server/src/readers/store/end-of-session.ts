const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns when a session ends that starts now: as its site says, or its reader's provider. */
export function endOfSession(now: Date, sessionDays: number, expiresAt: Date | undefined): Date {
  const latest = new Date(now.getTime() + sessionDays * DAY_MS);
  return expiresAt && expiresAt < latest ? expiresAt : latest;
}
