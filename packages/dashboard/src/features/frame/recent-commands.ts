const MAX_RECENTS = 4;

const nameOf = (org: string) => `docent-recent-${org}`;

/** Returns the ids of the commands that were used last in an organization, the last one first. */
export function readRecents(org: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(org)) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((id) => typeof id === 'string').slice(0, MAX_RECENTS)
      : [];
  } catch {
    return [];
  }
}

/** Remembers that a command was used. */
export function rememberCommand(org: string, id: string): void {
  const ids = [id, ...readRecents(org).filter((other) => other !== id)].slice(0, MAX_RECENTS);
  try {
    localStorage.setItem(nameOf(org), JSON.stringify(ids));
  } catch {
    // A browser without storage forgets it.
  }
}
