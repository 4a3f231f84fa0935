import * as z from 'zod';

/** What is kept of a person and of a group. Directories send more, which is ignored. */
const ATTRIBUTES = {
  Users: ['schemas', 'externalId', 'userName', 'name', 'displayName', 'emails', 'active'],
  Groups: ['schemas', 'externalId', 'displayName', 'members'],
} as const;
export type Kind = keyof typeof ATTRIBUTES;

const record = z.record(z.string(), z.unknown());
const operation = z.looseObject({
  op: z.string().max(20),
  path: z.string().max(500).optional(),
  value: z.unknown().optional(),
});
const patch = z.looseObject({
  schemas: z.array(z.string()),
  Operations: z.array(operation).min(1).max(1000),
});
type Operation = z.infer<typeof operation>;

/** Reads a resource as directories send it. @throws ZodError */
export function readResource(kind: Kind, body: unknown): Record<string, unknown> {
  return keptOf(kind, record.parse(body));
}

/**
 * Reads a PATCH as directories send it (RFC 7644, 3.5.2; Microsoft Entra ID sends truth values as
 * text, and paths of whatever it has mapped).
 * @returns the operations that change something kept; none if nothing would change
 * @throws ZodError
 */
export function readPatch(kind: Kind, body: unknown) {
  const { schemas, Operations } = patch.parse(body);
  return { schemas, Operations: Operations.flatMap((item) => keptOperation(kind, item)) };
}

function keptOperation(kind: Kind, { path: sent, value, ...rest }: Operation): Operation[] {
  const path = sent?.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '');
  if (path === undefined) {
    const values = record.safeParse(value);
    if (!values.success) return [{ ...rest, value }];
    const kept = keptOf(kind, values.data);
    return Object.keys(kept).length > 0 ? [{ ...rest, value: kept }] : [];
  }
  const name = nameOf(path);
  if (!isKept(kind, name)) return [];
  // One address is kept of a person: that for work.
  if (/^emails\[/i.test(path) && !/^emails\[\s*(?:type eq "work"|primary eq true)/i.test(path))
    return [];
  return [{ ...rest, path, value: name === 'active' ? truthOf(value) : value }];
}

function keptOf(kind: Kind, values: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(values).filter(([name]) => isKept(kind, nameOf(name)));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, nameOf(name) === 'active' ? truthOf(value) : value]),
  );
}

const isKept = (kind: Kind, name: string) =>
  ATTRIBUTES[kind].some((attribute) => attribute.toLowerCase() === name);

/** The attribute that a path begins with, in lower case: names differ in case alone for nobody. */
const nameOf = (path: string) => (/^\w*/.exec(path)?.[0] ?? '').toLowerCase();

function truthOf(value: unknown): unknown {
  const text = typeof value === 'string' ? value.toLowerCase() : undefined;
  return text === 'true' || text === 'false' ? text === 'true' : value;
}
