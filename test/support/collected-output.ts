import type { Output } from '../../packages/docent/src/kernel/output.ts';

/** An output that keeps what a command says: its results and lines, their values, and its notes. */
export function collectedOutput(): Output & {
  printed: string[];
  values: object[];
  notes: string[];
} {
  const [printed, values, notes]: [string[], object[], string[]] = [[], [], []];
  return {
    ...{ printed, values, notes },
    result: (text, value) => {
      printed.push(text);
      values.push(value);
    },
    print: (text) => void printed.push(text),
    json: (value) => void values.push(value),
    progress: () => {},
    note: (text) => void notes.push(text),
  };
}
