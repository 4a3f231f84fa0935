import { expect, test } from 'vitest';
import { createShikiHighlighter } from './shiki-highlighter.ts';

const texts = ['name', 'true', 'if', 'SELECT', '12', '<string>', 'two words', ''];
const body = (name: string, text: string) => `{\n  "${name || 'a'}": "${text}",\n  "${text.replace(/\W/g, '') || 'b'}": ["x"]\n}`;
const wrappings: Record<string, (json: string) => string> = {
  bash: (json) => `curl -X POST https://a.test -d '${json}'`,
  javascript: (json) => `call({ body: JSON.stringify(${json}) });`,
  json: (json) => `// note\n${json}`,
  php: (json) => `<?php\n$a = ${json.replaceAll('": ', '" => ')};\n$b = [\n  ${json}];`,
  python: (json) => `call(json=${json})`,
  typescript: (json) => `const a = ${json};`,
  yaml: (json) => json.replace(/[{}[\]]/g, ''),
};

test('a field has the tokens of the grammar regardless of the fields highlighted before', async () => {
  const shared = createShikiHighlighter();
  await shared.load(Object.keys(wrappings));
  for (const [language, wrap] of Object.entries(wrappings)) {
    for (const name of texts) {
      const code = wrap(body(name.replace(/\W/g, ''), texts[(texts.indexOf(name) + 3) % texts.length] ?? ''));
      const alone = createShikiHighlighter();
      await alone.load([language]);
      expect(shared.highlight(code, language), `${language}: ${code}`).toEqual(alone.highlight(code, language));
    }
  }
});
