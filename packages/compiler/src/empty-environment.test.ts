import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = import.meta.dirname;
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.test)\.ts$/.test(file),
);

/** Every call in a source that starts a thread or a process, up to its closing parenthesis. */
function starts(source: string): string[] {
  return Array.from(source.matchAll(/\b(?:new Worker|fork|spawn)\(/g), ({ index }) => {
    let depth = 0;
    for (let at = source.indexOf('(', index); at < source.length; at++) {
      if (source[at] === '(') depth++;
      if (source[at] === ')' && --depth === 0) return source.slice(index, at);
    }
    return source.slice(index);
  });
}

it('threads and processes that handle a repository start without the settings and secrets of the server', () => {
  const calls = sources.flatMap((file) =>
    starts(readFileSync(join(folder, file), 'utf8')).map((call) => `${file}: ${call}`),
  );
  expect(calls.length).toBeGreaterThan(5);
  expect(calls.filter((call) => !/\benv: (?:\{\}|buildEnvironment\b)/.test(call))).toEqual([]);
});
