import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { schemaFaults } from '../../../../test/support/schema-faults.ts';
import { docsSchema, editorSchema } from './json-schema.ts';
import { readSiteConfig } from './read-site-config.ts';
import type { JsonSchema } from './settings/annotations.ts';

const schema = editorSchema('https://docs.example.com/schema/docs.json');
const minimal = {
  theme: 'mint',
  name: 'Site',
  colors: { primary: '#123456' },
  navigation: { pages: ['index'] },
};

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8'));
}

describe('the editor schema', () => {
  it('is draft 2020-12 with an id, a description for every setting, and defaults', () => {
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://docs.example.com/schema/docs.json',
      type: 'object',
    });
    for (const [name, part] of Object.entries(schema.properties ?? {}))
      expect(part.description, name).toMatch(/\.$/);
    expect(schema.properties?.appearance?.properties?.default).toMatchObject({
      default: 'system',
      type: 'string',
    });
    expect(JSON.stringify(schema)).not.toContain('x-no-effect');
  });

  it.each(['docs/docs.json', 'test/sites/basic/docs.json'])('accepts %s', (file) => {
    expect(schemaFaults(read(file), schema)).toEqual([]);
  });

  it.each([
    [
      'short forms',
      {
        logo: '/a.svg',
        favicon: '/f.ico',
        styling: { codeblocks: 'github-dark' },
        api: { openapi: 'a.json' },
      },
    ],
    [
      'long forms',
      {
        logo: { light: '/a.svg', dark: '/b.svg', href: '/x' },
        api: { openapi: [{ source: 'a', directory: 'b' }] },
      },
    ],
    [
      'references instead of objects and lists',
      { navbar: { $ref: './n.json' }, redirects: { $ref: './r.json' }, colors: { $ref: 'c' } },
    ],
    [
      'nested navigation',
      {
        navigation: {
          languages: [
            { language: 'de', tabs: [{ tab: 'T', menu: [{ item: 'I', pages: ['a'] }] }] },
          ],
        },
      },
    ],
    [
      'contextual entries',
      {
        contextual: {
          options: ['copy', { title: 'A', description: 'b', href: 'https://a.example' }],
        },
      },
    ],
  ])('accepts %s, as the config reader does', (_, settings) => {
    const config = { ...minimal, ...settings };
    expect(schemaFaults(config, schema)).toEqual([]);
  });

  it.each([
    ['an unknown name', { navber: {} }, '/navber: unknown'],
    [
      'an unknown name deep inside',
      { navigation: { tabs: [{ tab: 'T', groups: [{ group: 'G', pags: [] }] }] } },
      '/navigation/tabs',
    ],
    ['a wrong choice', { theme: 'moon' }, '/theme: enum'],
    ['an invalid color', { colors: { primary: 'red' } }, '/colors/primary: pattern'],
    ['a wrong type', { banner: { content: 3 } }, '/banner/content: type string'],
  ])('rejects %s, which the config reader warns about', (_, settings, fault) => {
    const config = { ...minimal, ...settings };
    expect(schemaFaults(config, schema).join('\n')).toContain(fault);
    const text = JSON.stringify(config);
    expect(
      readSiteConfig({ readText: (path) => (path === 'docs.json' ? text : undefined) }).diagnostics,
    ).not.toEqual([]);
  });

  it('describes for every setting without effect what applies instead', () => {
    const effects = new Set<string>();
    const collect = (part: JsonSchema): void => {
      if (typeof part['x-no-effect'] === 'string') effects.add(part['x-no-effect']);
      for (const one of [...Object.values(part.properties ?? {}), ...(part.anyOf ?? [])])
        collect(one);
    };
    collect(docsSchema());
    expect(effects.size).toBeGreaterThan(2);
    for (const effect of effects)
      expect(JSON.stringify(schema)).toContain(`Has no effect here: ${effect}.`);
  });
});

it('our own documentation has the current schema for editors; if not: docent schema --json > docs/.docent/docs.schema.json', () => {
  const file = join(import.meta.dirname, '../../../../docs/.docent/docs.schema.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(editorSchema())),
  );
});
