import { type GraphqlSchema, namedType, type RootKind } from './graphql-schema.ts';

/** The uses of a type, as ids of symbols. */
export interface TypeUses {
  /** Operations and types with a field of the type. */
  returned: string[];
  /** Operations and inputs with an argument or field of the type. */
  accepted: string[];
}

/** Finds the uses of each type of a schema; computed once for all of them. */
export class GraphqlUses {
  readonly #uses = new Map<string, { returned: Set<string>; accepted: Set<string> }>();
  readonly #implementers = new Map<string, string[]>();

  constructor({ types, roots }: GraphqlSchema) {
    const rootOf = new Map(Object.entries(roots).map(([root, name]) => [name, root as RootKind]));
    // Operations come before types, because readers look up a type for them.
    const all = [...types.values()];
    for (const type of [...all.filter(({ name }) => rootOf.has(name)), ...all.filter(({ name }) => !rootOf.has(name))]) {
      const root = rootOf.get(type.name);
      for (const field of type.fields) {
        const user = root === undefined ? `type ${type.name}` : `${root} ${field.name.value}`;
        if (namedType(field.type) !== type.name) this.#of(namedType(field.type)).returned.add(user);
        for (const input of field.arguments ?? []) this.#of(namedType(input.type)).accepted.add(user);
      }
      for (const input of type.inputs) {
        if (namedType(input.type) !== type.name) this.#of(namedType(input.type)).accepted.add(`type ${type.name}`);
      }
      for (const member of type.members) this.#of(member.name.value).returned.add(`type ${type.name}`);
      for (const { name } of type.interfaces) {
        const list = this.#implementers.get(name.value);
        if (list) list.push(type.name);
        else this.#implementers.set(name.value, [type.name]);
      }
    }
  }

  of(name: string): TypeUses {
    const uses = this.#uses.get(name);
    return { returned: [...(uses?.returned ?? [])], accepted: [...(uses?.accepted ?? [])] };
  }

  /** Returns the names of the types that implement an interface. */
  implementers(name: string): readonly string[] {
    return this.#implementers.get(name) ?? [];
  }

  #of(name: string): { returned: Set<string>; accepted: Set<string> } {
    let uses = this.#uses.get(name);
    if (!uses) {
      uses = { returned: new Set(), accepted: new Set() };
      this.#uses.set(name, uses);
    }
    return uses;
  }
}
