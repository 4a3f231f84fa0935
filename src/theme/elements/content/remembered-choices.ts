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
    // Something else wrote under our key; the reader's next choice replaces it.
  }
  return choices;
}

/** Notes that the reader chose this title, on this page and the next ones. */
export function rememberChoice(title: string): void {
  choices = [title, ...load().filter((other) => other !== title)].slice(0, MAX_CHOICES);
  writeStored('local', KEY, JSON.stringify(choices));
}

/** Which of `titles` the reader chose last, as an index; -1 where the reader never chose any of them. */
export function lastChoice(titles: readonly string[]): number {
  for (const choice of load()) {
    const index = titles.indexOf(choice);
    if (index >= 0) return index;
  }
  return -1;
}
