import { expect, test } from 'vitest';
import { cpuMs } from '../../../../../test/support/cpu-ms.ts';
import { createSchemaReader, readSchema, type SchemaReader } from './read-schema.ts';
import type { SchemaView } from './schema-view.ts';

const read = (
  schema: unknown,
  schemas: object = {},
  use: 'request' | 'response' | 'both' = 'both',
) =>
  readSchema(
    createSchemaReader({ components: { schemas } } as Record<string, unknown>, use),
    schema,
  );
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const types = (view: SchemaView) =>
  Object.fromEntries(view.fields.map((field) => [field.name, field.schema.type]));

test.each([
  [{ type: 'string', format: 'uuid' }, 'string<uuid>'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: 'integer', nullable: true }, 'integer | null'],
  [{ type: ['string', 'integer'] }, 'string | integer'],
  [{ enum: ['a', 'b'] }, 'enum<string>'],
  [{ const: 'a' }, '"a"'],
  [{ type: 'string', enum: ['a'] }, '"a"'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ items: { type: ['string', 'null'] } }, '(string | null)[]'],
  [{ type: 'array' }, 'any[]'],
  [{ properties: {} }, 'object'],
  [{ type: 'string', format: 'binary' }, 'file'],
  [{ type: 'string', contentMediaType: 'application/octet-stream' }, 'file'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, 'string | integer'],
  [{ type: 'nonsense' }, 'any'],
  [true, 'any'],
  [{}, 'any'],
  [false, 'never'],
])('the type of %j is written as %s', (schema, expected) => {
  expect(read(schema).type).toBe(expected);
});

test('keywords beside a reference override those of its target', () => {
  const view = read(
    { ...ref('User'), description: 'The buyer' },
    { User: { type: 'object', description: 'A user', deprecated: true } },
  );
  expect(view).toMatchObject({ type: 'object', description: 'The buyer', deprecated: true });
});

test('references resolve escaped names', () => {
  expect(
    read({ $ref: '#/components/schemas/a~1b~0c%20d' }, { 'a/b~c d': { type: 'boolean' } }).type,
  ).toBe('boolean');
});

test('an unresolvable reference is reported in a note', () => {
  expect(read(ref('Missing')).notes.join()).toContain('cannot be resolved');
  expect(read({ $ref: 'other.yaml#/X' }).notes.join()).toContain('other.yaml#/X');
  expect(read({ $ref: '#/__proto__/toString' }).notes.join()).toContain('cannot be resolved');
});

test('allOf is one schema with the properties and requirements of all its parts', () => {
  const view = read(
    {
      allOf: [
        ref('Base'),
        {
          required: ['name'],
          properties: { name: { type: 'string' }, id: { description: 'Own id' } },
        },
      ],
    },
    { Base: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } },
  );
  expect(types(view)).toEqual({ id: 'integer', name: 'string' });
  expect(view.fields.map((field) => field.required)).toEqual([true, true]);
  expect(view.fields[0]?.schema.description).toBe('Own id');
});

test('a list property takes its items from the schema that extends its base', () => {
  const view = read(
    { allOf: [ref('Page'), { properties: { values: { items: ref('Repository') } } }] },
    {
      Page: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          values: { type: 'array', items: { type: 'object' } },
        },
      },
      Repository: {
        properties: {
          slug: { type: 'string' },
          parents: { type: 'array', items: ref('Repository') },
        },
      },
    },
  );
  expect(types(view)).toEqual({ size: 'integer', values: 'object[]' });
  expect(view.fields[1]?.schema.fields.map((field) => field.name)).toEqual(['slug', 'parents']);
});

test('an object with its contents described as items shows them', () => {
  expect(
    types(
      read(
        { type: 'object', items: ref('User') },
        { User: { properties: { id: { type: 'integer' } } } },
      ),
    ),
  ).toEqual({
    id: 'integer',
  });
  expect(
    types(read({ type: 'object', properties: { a: {} }, items: { properties: { b: {} } } })),
  ).toEqual({ a: 'any' });
});

test('alternatives are labeled by title, discriminator, or name', () => {
  const cat = { type: 'object', properties: { kind: { const: 'cat' } } };
  const view = read(
    {
      oneOf: [
        { title: 'Dog', type: 'object', properties: { a: {} } },
        cat,
        ref('Fish'),
        { type: 'object', properties: { b: {} } },
      ],
      discriminator: { propertyName: 'kind' },
    },
    { Fish: { type: 'object', properties: { c: {} } } },
  );
  expect(view.choices.map((group) => group.map((choice) => choice.label))).toEqual([
    ['Dog', 'kind: cat', 'Fish', 'Option 4'],
  ]);
});

test('a single alternative beside null is the schema itself', () => {
  const view = read(
    { anyOf: [ref('User'), { type: 'null' }] },
    { User: { properties: { id: { type: 'string' } } } },
  );
  expect(view.type).toBe('object | null');
  expect(types(view)).toEqual({ id: 'string' });
  expect(view.choices).toEqual([]);
});

test('recursion is cut with a note that names the recursive schema', () => {
  const schemas = {
    Node: {
      type: 'object',
      properties: {
        next: { anyOf: [ref('Node'), { type: 'null' }] },
        children: { type: 'array', items: ref('Node') },
      },
    },
  };
  const [next, children] = read(ref('Node'), schemas).fields;
  expect(next?.schema).toMatchObject({
    type: 'Node | null',
    notes: ['Recursive: Node again, as above.'],
  });
  expect(children?.schema).toMatchObject({
    type: 'Node[]',
    notes: ['Recursive: Node again, as above.'],
  });
});

test('a base shared by a schema and its property is not recursion', () => {
  const schemas = {
    Base: { properties: { id: { type: 'string' } } },
    Address: { allOf: [ref('Base'), { properties: { street: { type: 'string' } } }] },
  };
  const view = read({ allOf: [ref('Base'), { properties: { address: ref('Address') } }] }, schemas);
  expect(types(view.fields[1]?.schema as SchemaView)).toEqual({ id: 'string', street: 'string' });
});

test('circular references and circular allOf terminate', () => {
  expect(read(ref('A'), { A: ref('B'), B: ref('A') }).type).toBe('any');
  expect(
    read(ref('A'), { A: { allOf: [ref('A')], properties: { x: ref('A') } } }).fields,
  ).toHaveLength(1);
});

test('cycles in the parsed tree itself terminate', () => {
  const loop: Record<string, unknown> = { type: 'object' };
  loop.properties = { self: loop };
  expect(read(loop).fields[0]?.schema.notes).toEqual(['Recursive.']);
});

test('requests omit read-only properties, and responses omit write-only properties', () => {
  const schema = {
    properties: { id: { readOnly: true }, password: { writeOnly: true }, name: {} },
  };
  const names = (use: 'request' | 'response' | 'both') =>
    read(schema, {}, use).fields.map((field) => field.name);
  expect(names('request')).toEqual(['password', 'name']);
  expect(names('response')).toEqual(['id', 'name']);
  expect(names('both')).toEqual(['id', 'password', 'name']);
});

test('limits, defaults, and examples are facts', () => {
  const facts = (schema: object) =>
    read(schema).facts.map((fact) => `${fact.label}: ${fact.value}`);
  expect(facts({ type: 'integer', minimum: 1, maximum: 100, default: 10, example: 10 })).toEqual([
    'Default: 10',
    'Range: 1 to 100',
  ]);
  expect(facts({ type: 'number', exclusiveMinimum: 0, maximum: 1 })).toEqual([
    'Range: > 0 and <= 1',
  ]);
  expect(facts({ type: 'integer', minimum: 0, exclusiveMinimum: true })).toEqual(['Range: > 0']);
  expect(facts({ type: 'string', minLength: 2, pattern: '^a', examples: ['ab', 'ac'] })).toEqual([
    'Length: >= 2',
    'Pattern: ^a',
    'Examples: ab, ac',
  ]);
  expect(
    facts({ type: 'array', items: { type: 'string', maxLength: 3 }, uniqueItems: true }),
  ).toEqual(['Items: unique', 'Item length: <= 3']);
  expect(facts({ type: 'boolean', default: false })).toEqual(['Default: false']);
  expect(facts({ type: ['string', 'null'], default: null })).toEqual(['Default: null']);
});

test('additional and pattern properties are fields named by their key or pattern', () => {
  const view = read({
    additionalProperties: { type: 'integer' },
    patternProperties: { '^x-': { type: 'string' } },
  });
  expect(types(view)).toEqual({ '^x-': 'string', '{key}': 'integer' });
});

test('properties with special names are ordinary properties', () => {
  const view = read(
    JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}}'),
  );
  expect(view.fields.map((field) => [field.name, field.schema.type])).toEqual([
    ['__proto__', 'string'],
    ['constructor', 'integer'],
  ]);
});

test('a schema that is too large is cut with a note', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`p${index}`, { type: 'string' }]),
  );
  const view = read({ properties });
  expect(view.fields.length).toBeLessThanOrEqual(3_000);
  expect(view.notes.join()).toContain('too large');
});

test('fields of upper levels are never omitted in favor of deeper ones', () => {
  const schemas: Record<string, unknown> = {};
  const names = Array.from({ length: 30 }, (_, index) => index);
  for (let level = 0; level < 9; level++) {
    const inner = (index: number) =>
      level === 8 ? { type: 'string' } : ref(`L${level + 1}N${index % 3}`);
    for (const n of [0, 1, 2]) {
      const properties = Object.fromEntries(
        names.map((index) => [`p${level}_${index}`, inner(index)]),
      );
      schemas[`L${level}N${n}`] = { type: 'object', properties };
    }
  }
  const view = read(ref('L0N0'), schemas);
  expect(view.fields).toHaveLength(30);
  expect(view.fields.filter((field) => field.schema.fields.length === 30)).toHaveLength(30);
  const text = JSON.stringify(view);
  for (let level = 0; level < 5; level++) expect(text).toContain(`p${level}_29`);
  expect(text).toContain('are shown above');
});

test('a schema met deep inside is shown again in full at a higher level', () => {
  const schemas = {
    Deep: {
      type: 'object',
      properties: { one: { type: 'object', properties: { two: ref('Shared') } } },
    },
    Shared: { type: 'object', properties: { inner: ref('Leaf') } },
    Leaf: { type: 'object', properties: { last: { type: 'string' } } },
  };
  const view = read(
    {
      type: 'object',
      properties: { deep: ref('Deep'), shared: { oneOf: [ref('Shared'), { type: 'string' }] } },
    },
    schemas,
  );
  const shared = view.fields[1]?.schema.choices[0]?.[0]?.schema;
  expect(shared?.fields[0]?.schema.fields.map(({ name }) => name)).toEqual(['last']);
  expect(JSON.stringify(view.fields[0])).toContain('The fields of Shared are shown above.');
});

test('a long enumeration keeps every value', () => {
  const values = Array.from({ length: 250 }, (_, index) => `value-${index}`);
  expect(read({ enum: values })).toMatchObject({ values, moreValueCount: 0 });
});

test('schemas that multiply at each level stay within the time limit', () => {
  const schemas: Record<string, unknown> = {};
  for (let level = 0; level < 40; level++) {
    const next = ref(`L${level + 1}`);
    schemas[`L${level}`] = {
      type: 'object',
      properties: {
        a: next,
        b: next,
        c: next,
        d: { oneOf: [next, { allOf: [next, next] }, { items: next }] },
      },
    };
  }
  const start = cpuMs();
  const view = read(ref('L0'), schemas);
  expect(cpuMs() - start).toBeLessThan(3_000);
  expect(JSON.stringify(view)).toMatch(/Deeper levels|too large/);
});

test('ten properties deep is shown, with any lists and alternatives between them, and what is below is said to be missing', () => {
  let schema: object = { type: 'object', properties: { last: { type: 'string' } } };
  for (let level = 10; level > 0; level--) {
    const list = { type: 'array', items: { oneOf: [schema, { type: 'string' }] } };
    schema = { type: 'object', properties: { [`level${level}`]: list } };
  }
  const text = JSON.stringify(read(schema));
  expect(text).toContain('"level10"');
  expect(text).not.toContain('"last"');
  expect(text).toContain('Deeper levels are not shown.');
});

test('long descriptions are cut at a limit for the page', () => {
  const description = 'x'.repeat(700_000);
  const view = read({ description, properties: { a: { description }, b: { description } } });
  const total = [view.description, ...view.fields.map((field) => field.schema.description)].join(
    '',
  ).length;
  expect(total).toBeLessThan(700_000);
});

test('a base with a discriminator shows the schemas that extend it, and they do not show one another', () => {
  const schemas = {
    Animal: {
      type: 'object',
      discriminator: { propertyName: 'kind' },
      properties: { kind: { type: 'string' } },
    },
    Lion: {
      allOf: [
        { $ref: '#/components/schemas/Animal' },
        { type: 'object', properties: { mane: { type: 'boolean' } } },
      ],
    },
    Owl: {
      allOf: [
        { $ref: '#/components/schemas/Animal' },
        { type: 'object', properties: { wings: { type: 'integer' } } },
      ],
    },
  };
  const view = readSchema(createSchemaReader({ components: { schemas } }), {
    $ref: '#/components/schemas/Animal',
  });
  expect(view.fields.map(({ name }) => name)).toEqual(['kind']);
  expect(
    view.choices[0]?.map(({ label, schema }) => [label, schema.fields.map(({ name }) => name)]),
  ).toEqual([
    ['Lion', ['kind', 'mane']],
    ['Owl', ['kind', 'wings']],
  ]);
  expect(
    readSchema(createSchemaReader({ components: { schemas } }), {
      $ref: '#/components/schemas/Lion',
    }).choices,
  ).toEqual([]);
});

test('an encoded string shows the fields of its content schema', () => {
  const contentSchema = { type: 'object', properties: { at: { type: 'string' } } };
  const view = readSchema(createSchemaReader({}), {
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema,
  });
  expect([view.type, view.fields.map(({ name }) => name)]).toEqual(['string', ['at']]);
});

test('conditional properties follow the unconditional ones and are not required', () => {
  const view = read(
    {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string', enum: ['card', 'bank'] } },
      if: { properties: { kind: { const: 'card' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        required: ['number'],
        properties: { kind: { const: 'card' }, number: { type: 'string' } },
      },
      else: { allOf: [{ if: {}, else: ref('Bank') }] },
      dependentSchemas: { number: { properties: { cvc: { type: 'integer' } } } },
    },
    { Bank: { type: 'object', properties: { iban: { type: 'string' } } } },
  );
  expect(view.fields.map(({ name, required, schema }) => [name, required, schema.type])).toEqual([
    ['kind', true, 'enum<string>'],
    ['number', false, 'string'],
    ['cvc', false, 'integer'],
    ['iban', false, 'string'],
  ]);
});

test('a large union shows all alternatives, and a union that is too large shows its count', () => {
  const union = (count: number) =>
    read({
      oneOf: Array.from({ length: count }, (_, index) => ({
        title: `T${index}`,
        properties: { a: { type: 'string' } },
      })),
    });
  expect(union(120).choices[0]).toHaveLength(120);
  expect(union(301)).toMatchObject({ notes: ['Showing 300 of 301 alternatives.'] });
});

test('a forbidden property is never allowed, even if its base defines it', () => {
  const { fields } = read(
    { allOf: [ref('Base'), { properties: { id: false, more: false } }] },
    { Base: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } } },
  );
  expect(fields.map(({ name, schema }) => [name, schema.type])).toEqual([
    ['id', 'never'],
    ['name', 'string'],
    ['more', 'never'],
  ]);
  expect(fields[0]?.schema.notes).toEqual(['No value is allowed.']);
});

test.each(['dependentRequired', 'dependencies'])(
  'a field lists the fields that %s requires with it',
  (keyword) => {
    const { fields } = read({
      type: 'object',
      properties: {
        card: { type: 'string' },
        address: { type: 'string' },
        name: { type: 'string' },
      },
      [keyword]: { card: ['address', 'name'], address: { required: ['name'] }, name: [] },
    });
    expect(fields.map(({ schema }) => schema.facts)).toEqual([
      [{ label: 'Requires', value: 'address, name' }],
      [],
      [],
    ]);
  },
);

test('pages share the view of a scalar property, but not one that a page cuts or labels', () => {
  const property = {
    type: ['string', 'null'],
    description: 'A long description',
    enum: ['a', 'b', null],
  };
  const root = { properties: { one: property, two: { ...property, $ref: '#/properties/one' } } };
  const read = (limits: Partial<SchemaReader>, pills: string[] = []) =>
    readSchema({ ...createSchemaReader(root, 'both', { pills }), ...limits }, root).fields[0]
      ?.schema;
  const whole = read({});
  expect(whole).toMatchObject({ type: 'enum<string> | null', values: ['a', 'b'] });
  expect(read({})).toBe(whole);
  expect(read({ charactersLeft: 6 })?.description).toBe('A long...');
  expect(read({ valuesLeft: 1 })).toMatchObject({ values: ['a'], moreValueCount: 1 });
  expect(read({ visitsLeft: 1 })?.notes).not.toEqual([]);
  expect(read({}, ['description'])?.labelsAfter).toEqual(['A long description']);
  expect(whole).toMatchObject({
    description: 'A long description',
    values: ['a', 'b'],
    labelsAfter: [],
  });
});
