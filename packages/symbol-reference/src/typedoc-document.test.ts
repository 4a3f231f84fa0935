import { describe, expect, it } from 'vitest';
import { parseSymbolDocument } from './read-symbol-document.ts';
import { symbolMarkdown } from './render-symbol.ts';
import type { SymbolDocument } from './symbol-document.ts';
import { readTypedocDocument } from './typedoc-document.ts';

const text = (value: string) => [{ kind: 'text', text: value }];
const intrinsic = (name: string) => ({ type: 'intrinsic', name });

/** A library in the format of TypeDoc 0.24 and later. */
const NEW = {
  id: 0,
  name: 'lib',
  kind: 1,
  children: [
    {
      id: 1,
      name: 'Client',
      kind: 128,
      flags: {},
      typeParameters: [
        {
          id: 9,
          name: 'T',
          kind: 131072,
          type: intrinsic('string'),
          default: { type: 'literal', value: 'a' },
        },
      ],
      comment: {
        summary: [
          { kind: 'text', text: 'Calls the API. See ' },
          { kind: 'inline-tag', tag: '@link', text: 'Options', target: 2 },
        ],
        blockTags: [
          { tag: '@example', content: [{ kind: 'code', text: '```ts\nnew Client()\n```' }] },
        ],
      },
      extendedTypes: [{ type: 'reference', target: { packageName: 'x' }, name: 'Base' }],
      sources: [{ fileName: 'client.ts', line: 3, url: 'https://git.example/client.ts#L3' }],
      children: [
        {
          id: 3,
          name: 'constructor',
          kind: 512,
          flags: {},
          signatures: [
            {
              id: 4,
              name: 'Client',
              kind: 16384,
              parameters: [
                {
                  id: 5,
                  name: 'options',
                  kind: 32768,
                  flags: {},
                  type: { type: 'reference', target: 2, name: 'Options' },
                },
              ],
              type: { type: 'reference', target: 1, name: 'Client' },
            },
          ],
        },
        {
          id: 6,
          name: 'host',
          kind: 1024,
          flags: { isStatic: true, isReadonly: true },
          type: intrinsic('string'),
          defaultValue: "'x'",
        },
        {
          id: 16,
          name: 'secret',
          kind: 1024,
          flags: { isPrivate: true },
          type: intrinsic('string'),
        },
        {
          id: 17,
          name: 'stack',
          kind: 1024,
          flags: { isExternal: true },
          type: intrinsic('string'),
          inheritedFrom: { name: 'Error.stack' },
        },
        {
          id: 7,
          name: 'get',
          kind: 2048,
          flags: {},
          signatures: [
            {
              id: 8,
              name: 'get',
              kind: 4096,
              comment: {
                summary: text('Finds one.'),
                blockTags: [
                  { tag: '@returns', content: text('the user') },
                  { tag: '@throws', content: text('when it is gone') },
                  { tag: '@deprecated', content: text('Use `find`.') },
                ],
              },
              parameters: [
                {
                  id: 10,
                  name: 'id',
                  kind: 32768,
                  flags: {},
                  comment: { summary: text('Who.') },
                  type: intrinsic('string'),
                },
                {
                  id: 11,
                  name: '__namedParameters',
                  kind: 32768,
                  flags: { isOptional: true },
                  type: {
                    type: 'reflection',
                    declaration: {
                      children: [
                        {
                          id: 12,
                          name: 'depth',
                          kind: 1024,
                          flags: {},
                          comment: { summary: text('How deep.') },
                          type: intrinsic('number'),
                        },
                      ],
                    },
                  },
                },
              ],
              type: {
                type: 'reference',
                target: -1,
                name: 'Promise',
                typeArguments: [
                  {
                    type: 'union',
                    types: [
                      { type: 'reference', target: 2, name: 'Options' },
                      { type: 'literal', value: null },
                    ],
                  },
                ],
              },
            },
          ],
        },
      ],
    },
    {
      id: 2,
      name: 'Options',
      kind: 256,
      flags: {},
      children: [
        {
          id: 13,
          name: 'key',
          kind: 1024,
          flags: { isOptional: true },
          type: {
            type: 'array',
            elementType: { type: 'union', types: [intrinsic('string'), intrinsic('number')] },
          },
        },
      ],
    },
    {
      id: 14,
      name: 'Level',
      kind: 8,
      flags: {},
      children: [
        { id: 15, name: 'High', kind: 16, flags: {}, type: { type: 'literal', value: 'high' } },
      ],
    },
    {
      id: 20,
      name: 'Tools',
      kind: 4,
      flags: {},
      children: [
        {
          id: 21,
          name: 'run',
          kind: 64,
          flags: {},
          signatures: [
            {
              id: 22,
              name: 'run',
              kind: 4096,
              comment: { summary: text('Runs.') },
              type: intrinsic('void'),
            },
          ],
        },
      ],
    },
    {
      id: 23,
      name: 'Run',
      kind: 2097152,
      flags: {},
      type: {
        type: 'reflection',
        declaration: { signatures: [{ id: 24, kind: 4096, type: intrinsic('void') }] },
      },
    },
  ],
};

/**
 * A similar library in the format of TypeDoc up to 0.22, where some kind numbers had another
 * meaning.
 */
const OLD = {
  id: 0,
  name: 'lib',
  kind: 1,
  kindString: 'Project',
  children: [
    {
      id: 1,
      name: 'main',
      kind: 1,
      kindString: 'Module',
      children: [
        {
          id: 2,
          name: 'find',
          kind: 64,
          kindString: 'Function',
          signatures: [
            {
              id: 3,
              name: 'find',
              kind: 4096,
              kindString: 'Call signature',
              comment: {
                shortText: 'Finds by {@link Filter | a filter}.',
                returns: 'those found\n',
                tags: [{ tag: 'deprecated', text: 'Gone soon.' }],
              },
              typeParameter: [{ id: 4, name: 'T', kind: 131072, comment: { shortText: 'What.' } }],
              parameters: [
                {
                  id: 5,
                  name: 'filter',
                  kind: 32768,
                  flags: {},
                  comment: { shortText: 'Which.' },
                  type: { type: 'reference', id: 6, name: 'Filter' },
                },
              ],
              type: { type: 'array', elementType: { type: 'reference', name: 'T' } },
            },
          ],
        },
        {
          id: 6,
          name: 'Filter',
          kind: 4194304,
          kindString: 'Type alias',
          type: {
            type: 'union',
            types: [
              { type: 'literal', value: 'a' },
              { type: 'literal', value: 1 },
            ],
          },
        },
        {
          id: 7,
          name: 'Kind',
          kind: 4,
          kindString: 'Enumeration',
          children: [
            { id: 8, name: 'One', kind: 16, kindString: 'Enumeration member', defaultValue: '1' },
          ],
        },
      ],
    },
  ],
};

function pageOf(document: SymbolDocument, id: string): string {
  const paths = new Map(document.entries.map((entry) => [entry.id, `/sdk/${entry.path}`]));
  return symbolMarkdown(document.content(id, (target) => paths.get(target)));
}

describe('the reference of a TypeDoc library', () => {
  const document = readTypedocDocument(JSON.stringify(NEW));

  it('has a page for each symbol, in groups by kind, with its namespace in its name', () => {
    expect(
      document.entries.map(({ groups, title, path }) => `${groups.join('/')}: ${title} ${path}`),
    ).toEqual([
      'Classes: Client classes/client',
      'Interfaces: Options interfaces/options',
      'Types: Run types/run',
      'Enums: Level enums/level',
      'Namespaces: Tools namespaces/tools',
      'Functions: Tools.run functions/tools/run',
    ]);
  });

  it('shows a class in full: heritage, type parameters, constructor, properties, methods, and examples', () => {
    const page = pageOf(document, 'class Client');
    expect(page).toContain('`CLASS Client<T extends string = "a">`');
    expect(page).toContain('Calls the API. See [Options](/sdk/interfaces/options)');
    expect(page).toContain('Extends: `Base`');
    expect(page).toContain('```ts\nnew Client()\n```');
    expect(page).toContain('```typescript\nnew Client(options: Options)\n```');
    expect(page).toContain("- `host` (`string`, read-only, static): Default: `'x'`.");
    expect(page).toContain('### get (deprecated)\n\n**Deprecated:** Use `find`.');
    expect(page).toContain('get(id: string, options?: { depth: number }): Promise<Options | null>');
    expect(page).toContain('- `id` (`string`, required): Who.');
    expect(page).toContain('  - `depth` (`number`): How deep.');
    expect(page).toContain(
      'Returns: [`Promise<Options | null>`](/sdk/interfaces/options)\n\nthe user',
    );
    expect(page).toContain('**Throws**\n\nwhen it is gone');
    expect(page).toContain('Defined in: [`client.ts:3`](https://git.example/client.ts#L3)');
  });

  it('omits private members and members from other packages', () => {
    expect(pageOf(document, 'class Client')).not.toMatch(/secret|stack/);
  });

  it('writes types in TypeScript syntax', () => {
    expect(pageOf(document, 'interface Options')).toContain(
      '- `key` (`(string | number)[]`, optional)',
    );
    expect(pageOf(document, 'type Run')).toContain('type Run = () => void');
    expect(pageOf(document, 'enum Level')).toContain('- `High` (`"high"`)');
  });

  it('finds symbols by name, and members by their class', () => {
    expect(document.find({ kind: 'class', name: 'Client' })?.id).toBe('class Client');
    expect(document.find({ kind: 'function', name: 'Tools.run' })?.title).toBe('Tools.run');
    const method = document.find({ kind: 'method', name: 'get', parent: 'Client' });
    expect(method).toMatchObject({
      title: 'Client.get',
      description: 'Finds one.',
      deprecated: true,
    });
    expect(pageOf(document, method?.id ?? '')).toContain('`METHOD Client.get`');
    expect(document.find({ kind: 'property', name: 'Client.host' })?.title).toBe('Client.host');
    expect(document.find({ kind: 'class', name: 'constructor' })).toBeUndefined();
  });

  it('reads the format of versions up to 0.22, module by module', () => {
    const old = readTypedocDocument(JSON.stringify(OLD));
    expect(old.entries.map(({ groups, path }) => `${groups.join('/')}: ${path}`)).toEqual([
      'main: main',
      'main/Functions: main/functions/find',
      'main/Types: main/types/filter',
      'main/Enums: main/enums/kind',
    ]);
    const page = pageOf(old, 'function main/find');
    expect(page).toContain('**Deprecated:** Gone soon.');
    expect(page).toContain('Finds by [a filter](/sdk/main/types/filter).');
    expect(page).toContain('function find<T>(filter: Filter): T[]');
    expect(page).toContain('- `T`: What.');
    expect(page).toContain('those found');
    expect(pageOf(old, 'type main/Filter')).toContain('type Filter = "a" | 1');
    expect(pageOf(old, 'module main')).toContain('- [`find`](/sdk/main/functions/find): Finds by');
    expect(pageOf(old, 'enum main/Kind')).toContain('- `One` (`1`)');
  });

  it('limits hostile input and rejects invalid files', () => {
    for (const wrong of ['', '[]', '{}', '{"children":[]}', 'x', '{"id":0,"children":[]}'])
      expect(
        parseSymbolDocument(wrong, 'x.json', 'typedoc', () => readTypedocDocument).diagnostics,
      ).toMatchObject([{ code: 'invalid-reference' }]);
    let type: object = intrinsic('string');
    for (let depth = 0; depth < 500; depth++) type = { type: 'array', elementType: type };
    const wide = {
      type: 'union',
      types: Array.from({ length: 5000 }, (_, index) => ({
        type: 'reference',
        target: 1,
        name: `N${index}`,
      })),
    };
    const children = [
      { id: 1, name: '__proto__', kind: 2097152, type },
      { id: 1, name: '__proto__', kind: 2097152, type: wide },
      {
        id: 3,
        name: 'toString',
        kind: 128,
        children: [{ id: 4, name: 'hasOwnProperty', kind: 1024, type: null }, null, 7],
      },
      {
        id: 'x',
        name: 5,
        kind: 64,
        signatures: [
          { parameters: [null, 3], type: 'string', comment: { summary: 'x', blockTags: [null] } },
        ],
      },
    ];
    const odd = readTypedocDocument(JSON.stringify({ id: 0, kind: 1, children }));
    expect(odd.entries).toHaveLength(4);
    for (const { id } of odd.entries) expect(pageOf(odd, id).length).toBeLessThan(20_000);
  });
});

it('an inferred type is in parentheses if it is the element of a list', () => {
  const inferred = { type: 'array', elementType: { type: 'inferred', name: 'U' } };
  const name = { type: 'reference', name: 'T' };
  const type = {
    type: 'conditional',
    checkType: name,
    extendsType: inferred,
    trueType: name,
    falseType: intrinsic('never'),
  };
  const children = [{ id: 1, name: 'Item', kind: 2097152, flags: {}, type }];
  const document = readTypedocDocument(
    JSON.stringify({ id: 0, name: 'x', kind: 1, flags: {}, children }),
  );
  const [entry] = document.entries;
  expect(JSON.stringify(entry && document.content(entry.id, () => undefined))).toContain(
    'T extends (infer U)[] ? T : never',
  );
});
