import { z } from 'zod';

/** The parameters of a list. */
export const paging = (maxRows: number, rows: number) => ({
  cursor: z.string().max(200).optional().describe('The `nextCursor` of the previous response.'),
  limit: z.coerce.number().int().min(1).max(maxRows).default(rows).describe('Maximum number of items to return.'),
});

export const pageEnd = {
  nextCursor: z.string().nullable().describe('Send it as `cursor` to get the next page. `null` on the last page.'),
  hasMore: z.boolean().describe('Whether there are more items.'),
};

/** Returns the values of `pageEnd`. */
export function endOf({ nextCursor }: { nextCursor: string | null }) {
  return { nextCursor, hasMore: nextCursor !== null };
}

/**
 * Returns the schema of a list.
 * @param olderName the name that older clients read `items` by
 */
export function listOf<Item extends z.ZodType, OlderName extends string = never>(
  item: Item,
  description: string,
  olderName?: OlderName,
) {
  const older = olderName && { [olderName]: z.array(item).describe('The same as `items`, for older clients.') };
  return z.object({
    items: z.array(item).describe(description),
    ...(older as Record<OlderName, z.ZodArray<Item>>),
    ...pageEnd,
  });
}
