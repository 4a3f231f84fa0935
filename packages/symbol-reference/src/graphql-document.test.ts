import { buildSchema, introspectionFromSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readGraphqlDocument } from './graphql-document.ts';
import { parseSymbolDocument } from './read-symbol-document.ts';
import { symbolMarkdown } from './render-symbol.ts';
import type { SymbolDocument } from './symbol-document.ts';

const SDL = `
"Has an identifier."
interface Node { id: ID! }
scalar DateTime @specifiedBy(url: "https://scalars.example/date-time")
enum Role { "Everything." ADMIN MEMBER OWNER @deprecated(reason: "Use ADMIN.") }
type Team implements Node {
  id: ID!
  "What readers see."
  name: String!
  created: DateTime
  title: String @deprecated(reason: "Use \`name\`.")
  members(first: Int = 10, role: Role): MemberPage!
  parent: Team
}
type User implements Node { id: ID! login: String! teams: [Team!]! }
type Bot { name: String! }
union Actor = User | Bot
type MemberPage { nodes: [Actor] total: Int! }
input TeamInput { name: String! roles: [Role!] = [MEMBER] parent: TeamInput }
directive @needs(role: Role = ADMIN) repeatable on FIELD_DEFINITION
type Query {
  """
  Finds a team.

  Only for **members**.
  """
  team("Which one." id: ID!, deep: Boolean = false): Team
  old: String @deprecated
}
type Mutation { createTeam(input: TeamInput!): Team }
type Subscription { joined(team: ID!): User! }
`;

function pageOf(document: SymbolDocument, id: string): string {
  const paths = new Map(document.entries.map((entry) => [entry.id, `/ref/${entry.path}`]));
  return symbolMarkdown(document.content(id, (target) => paths.get(target)));
}

describe('the reference of a GraphQL schema', () => {
  const document = readGraphqlDocument(SDL);

  it('has a page for each operation, type, and directive, in groups', () => {
    const menu = document.entries.map(({ groups, path }) => `${groups.join('/')}: ${path}`);
    expect(menu).toEqual([
      'Queries: queries/team',
      'Queries: queries/old',
      'Mutations: mutations/create-team',
      'Subscriptions: subscriptions/joined',
      'Types/Objects: types/team',
      'Types/Objects: types/user',
      'Types/Objects: types/bot',
      'Types/Objects: types/member-page',
      'Types/Interfaces: types/node',
      'Types/Unions: types/actor',
      'Types/Inputs: types/team-input',
      'Types/Enums: types/role',
      'Types/Scalars: types/date-time',
      'Directives: directives/needs',
    ]);
    expect(document.find({ kind: 'query', name: 'team' })?.description).toBe('Finds a team.');
    expect(document.find({ kind: 'query', name: 'old' })?.deprecated).toBe(true);
  });

  it('shows arguments, the return type, and a request with its variables and response', () => {
    const page = pageOf(document, 'query team');
    expect(page).toContain('`QUERY team(id: ID!, deep: Boolean): Team`');
    expect(page).toContain('- `id` (`ID!`, required): Which one.');
    expect(page).toContain('- `deep` (`Boolean`): Default: `false`.');
    expect(page).toContain('[`Team`](/ref/types/team)');
    expect(page).toContain(
      'query Team($id: ID!) {\n  team(id: $id) {\n    id\n    name\n    created\n',
    );
    expect(page).not.toContain('title\n');
    expect(page).toContain('{\n  "id": "abc123"\n}');
    expect(page).toContain('"created": "2026-01-31T09:30:00Z"');
  });

  it('shows fields with arguments, deprecations with reasons, and links to every type', () => {
    const page = pageOf(document, 'type Team');
    expect(page).toContain('Implements: [`Node`](/ref/types/node)');
    expect(page).toContain('- `title` (`String`, deprecated): **Deprecated:** Use `name`.');
    expect(page).toContain(
      '- `members` ([`MemberPage!`](/ref/types/member-page))\n  - `first` (`Int`): Default: `10`.',
    );
    expect(page).toContain('Returned by: [`team`](/ref/queries/team)');
    expect(page).toContain('type Team implements Node {');
    expect(pageOf(document, 'type Role')).toContain(
      '- `OWNER` (deprecated): **Deprecated:** Use ADMIN.',
    );
    expect(pageOf(document, 'type Actor')).toContain(
      'One of: [`User`](/ref/types/user), [`Bot`](/ref/types/bot)',
    );
    expect(pageOf(document, 'type Node')).toContain(
      'Implemented by: [`Team`](/ref/types/team), [`User`](/ref/types/user)',
    );
    expect(pageOf(document, 'type DateTime')).toContain('<https://scalars.example/date-time>');
    expect(pageOf(document, 'directive needs')).toContain('Repeatable on: `FIELD_DEFINITION`');
  });

  it('shows the directives of all schema elements with links to their pages', () => {
    const applied = readGraphqlDocument(
      `directive @auth(requires: Role! = ADMIN) on OBJECT | FIELD_DEFINITION | ARGUMENT_DEFINITION | ENUM_VALUE
      enum Role { ADMIN @auth(requires: ADMIN) USER }
      type Query { team(id: ID! @size(max: 10)): Team @auth(requires: USER) @cost(value: 5) }
      type Team @auth { name: String @deprecated @auth(requires: ADMIN) }
      extend type Team @key(fields: "id")`,
    );
    const query = pageOf(applied, 'query team');
    expect(query).toContain(
      'Directives: [`@auth(requires: USER)`](/ref/directives/auth), `@cost(value: 5)`',
    );
    expect(query).toContain('- `id` (`ID!`, required): Directive: `@size(max: 10)`.');
    const team = pageOf(applied, 'type Team');
    expect(team).toContain('Directives: [`@auth`](/ref/directives/auth), `@key(fields: "id")`');
    expect(team).toContain('- `name` (`String`, deprecated): Directive: `@auth(requires: ADMIN)`.');
    expect(team).toContain(
      'type Team @auth @key(fields: "id") {\n  name: String @deprecated @auth(requires: ADMIN)\n}',
    );
    expect(pageOf(applied, 'type Role')).toContain(
      '- `ADMIN`: Directive: `@auth(requires: ADMIN)`.',
    );
  });

  it('is the same for an introspection result, with or without "data" around it', () => {
    const result = introspectionFromSchema(buildSchema(SDL), {
      specifiedByUrl: true,
      inputValueDeprecation: true,
    });
    for (const json of [result, { data: result }]) {
      const other = readGraphqlDocument(JSON.stringify(json));
      expect(other.entries.map(({ id }) => id).sort()).toEqual(
        document.entries.map(({ id }) => id).sort(),
      );
      expect(pageOf(other, 'type Team')).toBe(pageOf(document, 'type Team'));
    }
  });

  it('reads nonstandard schemas: lone extensions, unknown directives, and custom root types', () => {
    const text = `
      schema { query: Root }
      type Root { a: Int }
      extend type Root @link(url: "x") { b: Missing @key(fields: "id") }
      extend type Lone { c: __proto__ }
      type __proto__ { constructor: String }`;
    const other = readGraphqlDocument(text);
    expect(other.entries.map(({ id }) => id)).toEqual([
      'query a',
      'query b',
      'type Lone',
      'type __proto__',
    ]);
    expect(pageOf(other, 'query b')).toContain('`Missing`');
    expect(pageOf(other, 'type Lone')).toContain('/ref/types/proto');
  });

  it('terminates for circular types and very deep input', () => {
    const circles =
      'type Query { a: A b(i: I!): B! } type A { a: A! b: B } type B { a: [A] b: [B!]! } input I { i: I! }';
    expect(pageOf(readGraphqlDocument(circles), 'query b')).toContain('__typename');
    const deep = `type Query { a: ${'['.repeat(100_000)}Int${']'.repeat(100_000)} }`;
    const { document: none, diagnostics } = parseSymbolDocument(
      deep,
      'x.graphql',
      'graphql',
      () => readGraphqlDocument,
    );
    expect([none, diagnostics[0]?.code]).toEqual([undefined, 'invalid-reference']);
  });

  it('reports the line of a schema error and rejects invalid files', () => {
    const { diagnostics } = parseSymbolDocument(
      'type Query {\n  a: Int\n  b Int\n}',
      'api/schema.graphql',
      'graphql',
      () => readGraphqlDocument,
    );
    expect(diagnostics).toMatchObject([
      { severity: 'error', code: 'invalid-reference', file: 'api/schema.graphql', line: 3 },
    ]);
    for (const text of ['{"a":1}', '{', '', 'scalar', '{"__schema":{"types":3}}'])
      expect(
        parseSymbolDocument(text, 'x', 'graphql', () => readGraphqlDocument).diagnostics,
      ).toMatchObject([{ code: 'invalid-reference' }]);
  });
});
