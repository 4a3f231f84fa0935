import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Described {
  operationId: string;
  parameters?: { name?: string; $ref?: string }[];
  responses: Record<string, { content?: Record<string, { schema?: { properties?: object } }> }>;
}

const file = new URL('../../../../../docs/openapi.json', import.meta.url);
const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
  paths: Record<string, Record<string, Described>>;
};
/**
 * These have the shapes of the services whose clients work here: analytics reports, and the
 * sessions of a user.
 */
const OTHERS = /^\/v1\/(?:analytics|auth)\//;
/** Always few, so they fit on one page. */
const UNPAGED = new Set(['listHostnames', 'listAnalyticsStreams', 'listSources']);

it('every list operation returns { items, nextCursor, hasMore } and accepts cursor and limit', () => {
  const lists = Object.entries(paths).flatMap(([path, { get }]) =>
    get?.operationId.startsWith('list') && !OTHERS.test(path) ? [get] : [],
  );
  expect(lists.length).toBeGreaterThan(8);
  for (const { operationId, parameters = [], responses } of lists) {
    const properties = responses['200']?.content?.['application/json']?.schema?.properties ?? {};
    expect(Object.keys(properties), operationId).toEqual(
      expect.arrayContaining(['items', 'nextCursor', 'hasMore']),
    );
    const names = parameters.map(
      ({ name, $ref }) => name ?? $ref?.split('/').at(-1)?.replace(/\d+$/, ''),
    );
    if (!UNPAGED.has(operationId))
      expect(names, operationId).toEqual(expect.arrayContaining(['cursor', 'limit']));
  }
});
