import type * as z from 'zod';

/** A configuration value that does not match the format. */
export interface SettingFault {
  path: PropertyKey[];
  /** The expected value, to be read after "expected". */
  expected: string;
  /** The actual value, as short JSON. */
  got: string;
}

/** Each round removes at least one value, so this only bounds the work for absurd input. */
const MAX_ROUNDS = 50;

const TYPE_NAMES = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
]);

/**
 * Checks a setting and, if parts of it are invalid, drops as little as possible: the invalid value,
 * or its container if the value is required. Reports every fault once.
 * @returns the checked setting, or undefined if nothing of it can be kept
 */
export function parseLeniently<T>(
  schema: z.ZodType<T>,
  raw: unknown,
  report: (fault: SettingFault) => void,
): T | undefined {
  const reported: string[] = [];
  let value = raw;
  for (let round = 0; round < MAX_ROUNDS && value !== undefined; round++) {
    const result = schema.safeParse(value, { error: expectedText });
    if (result.success) return result.data;
    const earlier = reported.length;
    const issues = result.error.issues.flatMap(branchIssues);
    for (const issue of issues) {
      const path = writtenPath(value, issue.path);
      const name = pathName(path);
      const isConsequence = reported
        .slice(0, earlier)
        .some((reportedName) => reportedName.startsWith(name));
      if (isConsequence || reported.includes(name)) continue;
      reported.push(name);
      report({ path, expected: issue.message, got: describeValue(valueAt(value, issue.path)) });
    }
    for (const issue of issues) value = without(value, issue.path, 0);
  }
  return undefined;
}

/** Returns the fault inside a union value if its kind is clear; otherwise the fault itself. */
function branchIssues(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string }[] {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.find(
    (errors) => errors.length > 0 && errors.every((error) => error.path.length > 0),
  );
  return (
    meant
      ?.flatMap(branchIssues)
      .map(({ path, message }) => ({ path: [...issue.path, ...path], message })) ?? [issue]
  );
}

function pathName(path: readonly PropertyKey[]): string {
  return path.map((key) => `${String(key)}\n`).join('');
}

/** Describes the expectation of a zod issue; schemas override this where they can be clearer. */
function expectedText(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return TYPE_NAMES.get(issue.expected) ?? `a ${issue.expected}`;
  if (issue.code === 'invalid_value')
    return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
  return undefined;
}

/**
 * Returns the part of the path that the author wrote: a short form (`"logo": "/a.svg"`) has no
 * members to point at.
 */
function writtenPath(value: unknown, path: PropertyKey[]): PropertyKey[] {
  let container = value;
  for (const [index, key] of path.entries()) {
    if (typeof container !== 'object' || container === null) return path.slice(0, index);
    container = hasMember(container, key) ? container[key] : {};
  }
  return path;
}

function hasMember(value: unknown, key: PropertyKey): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

/**
 * Returns the value at the path. If the path leads into a plain value (the short form of an
 * object), that value.
 */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let member = value;
  for (const key of path) {
    if (typeof member !== 'object' || member === null) return member;
    if (!hasMember(member, key)) return undefined;
    member = member[key];
  }
  return member;
}

/**
 * Returns a copy without the value at the path. If that is already missing, removes the value that
 * requires it. Array items leave a hole, so that the indices in later messages stay correct.
 */
function without(value: unknown, path: readonly PropertyKey[], depth: number): unknown {
  const key = path[depth];
  if (key === undefined || !hasMember(value, key)) return undefined;
  const rest = without(value[key], path, depth + 1);
  if (Array.isArray(value)) return value.with(Number(key), rest);
  const copy: Record<PropertyKey, unknown> = { ...value };
  if (rest === undefined) delete copy[key];
  else copy[key] = rest;
  return copy;
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Formats a path as authors write it: `navbar.links[0].href`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`,
    )
    .join('');
}
