import { synonymStems } from '../synonyms.ts';
import { shortStarts } from './short-starts.ts';
import type { ListedTerm } from './write-parts.ts';

/** Bytes that a part of terms shall have; what is longer by itself stands alone. */
const PART_BYTES = 1500;

/** Which terms come together in a part. */
export interface TermGroups {
  /** In the order of the alphabet, as are the terms in them. */
  general: ListedTerm[][];
  termStarts: string[];
  named: ListedTerm[][];
  namedTerms: string[];
  partOfNamed: number[];
}

/** Roughly what a term takes in a part. */
function cost({ term, postings }: ListedTerm): number {
  return term.length / 2 + 1 + postings.sections.length * 1.1 + postings.pages.length * 1.3;
}

/**
 * Groups sorted terms into parts. What synonyms bring into a query together stands together, and a long list stands alone,
 * so that a query fetches little that it does not need.
 */
export function groupTerms(terms: readonly ListedTerm[]): TermGroups {
  const byTerm = new Map(terms.map((listed) => [listed.term, listed]));
  const related = synonymStems();
  const relatedSet = new Set(related);
  const long = terms.filter((listed) => cost(listed) > PART_BYTES / 2 && !relatedSet.has(listed.term));
  const isLong = new Set(long.map(({ term }) => term));
  const present = related.map((term) => byTerm.get(term)).filter((listed) => listed !== undefined);
  const named = [...grouped(present), ...long.map((listed) => [listed])];
  const general = grouped(terms.filter(({ term }) => !isLong.has(term) && !relatedSet.has(term)));
  const partOf = new Map(named.flatMap((group, part) => group.map(({ term }) => [term, part] as const)));
  const namedTerms = [...new Set([...related, ...isLong])].sort();
  return {
    general,
    termStarts: shortStarts(general.map((group) => group.map(({ term }) => term))),
    named,
    namedTerms,
    partOfNamed: namedTerms.map((term) => partOf.get(term) ?? -1),
  };
}

function grouped(terms: readonly ListedTerm[]): ListedTerm[][] {
  const groups: ListedTerm[][] = [];
  let group: ListedTerm[] = [];
  let bytes = 0;
  const close = () => {
    if (group.length > 0) groups.push(group);
    group = [];
    bytes = 0;
  };
  for (const listed of terms) {
    const own = cost(listed);
    if (bytes + own > PART_BYTES * 1.2) close();
    group.push(listed);
    bytes += own;
    if (bytes >= PART_BYTES) close();
  }
  close();
  return groups;
}
