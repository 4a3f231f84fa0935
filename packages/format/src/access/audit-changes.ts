import type { AuditChange, AuditValue } from './audit-words.ts';

const MAX_VALUE_CHARACTERS = 500;

/**
 * Returns which properties differ between two states of a thing; of a new one, those that are set.
 */
export function changesBetween(
  before: object | undefined,
  after: object | undefined,
): AuditChange[] {
  if (!after) return [];
  return Object.entries(after).flatMap(([field, value]) => {
    const change = {
      field,
      before: shown(before?.[field as keyof typeof before]),
      after: shown(value),
    };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
  });
}

function shown(value: unknown): AuditValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? null : value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
}
