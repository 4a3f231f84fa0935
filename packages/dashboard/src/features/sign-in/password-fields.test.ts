import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = globSync('**/*.tsx', { cwd: root }).map(
  (file) => [file, readFileSync(root + file, 'utf8')] as const,
);
/** The elements of inputs, each up to the end of its tag. */
const inputs = sources.flatMap(([file, text]) =>
  [...text.matchAll(/<(?:TextField|input)\b[^>]*?\/?>/g)].map(
    ([element]) => [file, element] as const,
  ),
);

it('every field for a password hides it, and lets browsers and password managers fill it', () => {
  const fields = inputs.filter(([, element]) => /label="[^"]*password/i.test(element));
  expect(fields.length).toBeGreaterThan(2);
  for (const [file, element] of [
    ...fields,
    ...inputs.filter(([, text]) => text.includes('-password"')),
  ]) {
    expect(element, file).toContain('type="password"');
    expect(element, file).toMatch(/autoComplete="(?:current|new)-password"/);
  }
});

it('nothing hinders pasting', () => {
  for (const [file, text] of sources)
    expect(text, file).not.toMatch(/onPaste|onBeforeInput|'(?:paste|beforeinput)'/);
});
