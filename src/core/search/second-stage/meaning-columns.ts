/** The features of a candidate from a model that embeds pages. */
export const MEANING_COLUMNS = ['meaning', 'meaningRank'] as const;

/** The similarity of each page of the index to the query, −1 to 1, and which pages are in scope. */
export interface Nearness {
  nearness: Float32Array;
  isIncluded: (page: number) => boolean;
}

/** Values in the order of `MEANING_COLUMNS`: the similarity of a page, and how many pages are nearer. */
export function meaningColumns(page: number, { nearness, isIncluded }: Nearness): [number, number] {
  const own = nearness[page] as number;
  let nearer = 0;
  for (let other = 0; other < nearness.length; other++) if ((nearness[other] as number) > own && isIncluded(other)) nearer++;
  return [own, Math.log(1 + nearer)];
}
