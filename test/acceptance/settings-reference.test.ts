import { readFileSync } from 'node:fs';
import { docsSchema } from '@docent/format/docs-json/json-schema.ts';
import { commandSettings, settings } from '@docent/server/kernel/config/config.ts';
import { expect, it } from 'vitest';
import type { JsonSchema } from '../../packages/format/src/docs-json/settings/annotations.ts';
import type { Setting } from '../../packages/server/src/kernel/config/setting.ts';

const page = readFileSync(new URL('../../docs/reference/docs-json.mdx', import.meta.url), 'utf8');

/** Returns the names of settings as the page writes them. */
function* namesOf(schema: JsonSchema, path: string): Generator<string> {
  if (path !== '') yield path;
  if (typeof schema['x-no-effect'] === 'string') return;
  for (const branch of schema.anyOf ?? [])
    yield* [...namesOf(branch, path)].slice(path === '' ? 0 : 1);
  if (schema.items) yield* [...namesOf(schema.items, `${path}[]`)].slice(1);
  for (const [key, part] of Object.entries(schema.properties ?? {}))
    yield* namesOf(part, path === '' ? key : `${path}.${key}`);
}

it('the docs.json reference lists every setting, including those without effect', () => {
  const { navigation, ...settings } = docsSchema().properties ?? {};
  // A list that may also be one value is written without brackets there.
  const plain = (name: string) => name.replaceAll('[]', '');
  const written = new Set(
    [...page.matchAll(/^\| `([^`]+)`/gm)].map((match) => plain(match[1] as string)),
  );
  const missing = [...namesOf({ properties: settings }, '')]
    .map(plain)
    .filter((name) => !written.has(name));
  expect(missing).toEqual([]);
  for (const fields of [navigation, docsSchema().$defs?.group, docsSchema().$defs?.tab]) {
    for (const name of Object.keys(fields?.properties ?? {}))
      expect(written, name).toContain(name === 'tab' ? 'tabs' : name);
  }
});

it('the configuration page has a row for every server setting with its default and meaning, and no other rows', () => {
  const configuration = readFileSync(
    new URL('../../docs/self-hosting/configuration.mdx', import.meta.url),
    'utf8',
  );
  const lines = new Set(configuration.split('\n'));
  const rowOf = ({ name, default: preset, meaning }: Setting) =>
    `| \`${name}\` | \`${preset}\` | ${meaning} |`;
  expect(settings.map(rowOf).filter((row) => !lines.has(row))).toEqual([]);
  const known = new Set([...settings, ...commandSettings].map(({ name }) => name));
  const written = [...configuration.matchAll(/^\| `(DOCENT_[A-Z0-9_]+)`/gm)].map(
    (match) => match[1] as string,
  );
  expect(written.filter((name) => !known.has(name))).toEqual([]);
});
