/** What a model that embeds pages says of a candidate. */
export const MEANING_COLUMNS = ['meaning', 'meaningRank'] as const;

/** How near each page of the index is to the query, −1 to 1, and which of them may be found. */
export interface Nearness {
  nearness: Float32Array;
  isIncluded: (page: number) => boolean;
}

/** Values in the order of `MEANING_COLUMNS`: how near a page is, and how many pages are nearer. */
export function meaningColumns(page: number, { nearness, isIncluded }: Nearness): [number, number] {
  const own = nearness[page] as number;
  let nearer = 0;
  for (let other = 0; other < nearness.length; other++) if ((nearness[other] as number) > own && isIncluded(other)) nearer++;
  return [own, Math.log(1 + nearer)];
}
