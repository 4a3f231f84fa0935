import { expect, test } from 'vitest';
import { createShikiHighlighter } from './shiki-highlighter.ts';

const texts = ['name', 'true', 'if', 'SELECT', '12', '<string>', 'two words', ''];
const body = (name: string, text: string) =>
  `{\n  "${name || 'a'}": "${text}",\n  "${text.replace(/\W/g, '') || 'b'}": ["x"]\n}`;
const values = [
  'plain',
  'https://a.test/{id}?a=b',
  '{"a":[{"b":"c"},{}]}',
  '"',
  '""',
  'a=%s',
  '$a $(b)',
  'a => (b)',
  '\\',
  '# no',
];
const lines: Record<string, (value: string) => string> = {
  bash: (value) =>
    `curl -X POST '${value}' \\\n  -H 'A: ${value}' \\\n  --data-urlencode '${value}'`,
  javascript: (value) =>
    `const a = await fetch(${JSON.stringify(value)}, {\n  b: ${JSON.stringify(value)},\n});`,
  python: (value) => `a = ${JSON.stringify(value)}\nb = {\n    "c": ${JSON.stringify(value)},\n}`,
  typescript: (value) =>
    `const a: A = b(${JSON.stringify(value)}, ${JSON.stringify(value)}) + ${JSON.stringify(value)};`,
};
const wrappings: Record<string, (json: string) => string> = {
  bash: (json) => `curl -X POST https://a.test -d '${json}'`,
  javascript: (json) => `call({ body: JSON.stringify(${json}) });`,
  json: (json) => `// note\n${json}`,
  php: (json) => `<?php\n$a = ${json.replaceAll('": ', '" => ')};\n$b = [\n  ${json}];`,
  python: (json) => `call(json=${json})`,
  typescript: (json) => `const a = ${json};`,
  yaml: (json) => json.replace(/[{}[\]]/g, ''),
};

test('a line has the tokens of the grammar regardless of the lines highlighted before that differ in quoted texts', async () => {
  const shared = createShikiHighlighter();
  await shared.load(Object.keys(wrappings));
  for (const [language, wrap] of Object.entries(wrappings)) {
    for (const name of texts) {
      const code = wrap(
        body(name.replace(/\W/g, ''), texts[(texts.indexOf(name) + 3) % texts.length] ?? ''),
      );
      const alone = createShikiHighlighter();
      await alone.load([language]);
      expect(shared.highlight(code, language), `${language}: ${code}`).toEqual(
        alone.highlight(code, language),
      );
    }
  }
});

test('so do lines with URLs, JSON and escapes in their texts', async () => {
  const shared = createShikiHighlighter();
  await shared.load(Object.keys(lines));
  for (const [language, write] of Object.entries(lines)) {
    for (const value of [...values, ...values]) {
      const code = write(value);
      const alone = createShikiHighlighter();
      await alone.load([language]);
      expect(shared.highlight(code, language), `${language}: ${code}`).toEqual(
        alone.highlight(code, language),
      );
    }
  }
});
