import { readStored, writeStored } from '../storage.ts';

const KEY = 'docent-choices';
const MAX_CHOICES = 40;

let choices: string[] | undefined;

function load(): string[] {
  if (choices) return choices;
  choices = [];
  try {
    const stored: unknown = JSON.parse(readStored('local', KEY) ?? '[]');
    if (Array.isArray(stored)) choices = stored.filter((item) => typeof item === 'string');
  } catch {
    // Something else wrote under this key; the reader's next choice replaces it.
  }
  return choices;
}

/** Stores the title that the reader chose, for this page and the next ones. */
export function rememberChoice(title: string): void {
  choices = [title, ...load().filter((other) => other !== title)].slice(0, MAX_CHOICES);
  writeStored('local', KEY, JSON.stringify(choices));
}

/** Returns the index of the title among `titles` that the reader chose last; -1 if the reader never chose any of them. */
export function lastChoice(titles: readonly string[]): number {
  for (const choice of load()) {
    const index = titles.indexOf(choice);
    if (index >= 0) return index;
  }
  return -1;
}
