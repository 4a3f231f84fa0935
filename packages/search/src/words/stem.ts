const STEMMABLE = /^[a-z]{4,}$/;
const VOWEL = /[aeiouy]/;

/**
 * Returns the stem of an English word: `deployed`, `deploying`, `deployment`, `deployments` →
 * `deploy`. Deliberately light: words with different meanings should rarely collide. Words with
 * other letters or digits stay as they are.
 */
export function stem(word: string): string {
  const irregular = irregularForms.get(word);
  if (irregular !== undefined) return finish(irregular);
  if (!STEMMABLE.test(word)) return word;
  return finish(withoutDerivation(withoutTense(withoutPlural(word))));
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  return /(?:ss|us|is)$/.test(word) ? word : word.slice(0, -1);
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return word;
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`;
  const rest = word.endsWith('ing')
    ? word.slice(0, -3)
    : word.endsWith('ed')
      ? word.slice(0, -2)
      : '';
  if (rest.length < 3 || !VOWEL.test(rest)) return word;
  // `validat(ing)` is a form of `validate`, which the derivations below expect with its e.
  return /(?:[^e]at|[^s]is)$/.test(rest) ? `${rest}e` : rest;
}

/** Suffix, its replacement, and the minimum of remaining letters. The first match applies. */
const DERIVATIONS: readonly (readonly [suffix: string, replacement: string, minLeft: number])[] = [
  ['ization', 'iz', 3],
  ['isation', 'iz', 3],
  ['ification', 'ify', 2],
  ['ription', 'rib', 3],
  ['ation', '', 4],
  ['ator', '', 4],
  ['ate', '', 4],
  ['ise', 'iz', 4],
  ['ional', 'ion', 4],
  ['oval', 'ov', 3],
  ['ieval', 'iev', 2],
  ['very', 'ver', 3],
  ['ibility', 'ibl', 2],
  ['ability', '', 4],
  ['able', '', 4],
  ['ible', 'ibl', 2],
  ['ically', 'ic', 3],
  ['ical', 'ic', 3],
  ['ment', '', 4],
  ['ness', '', 4],
  ['fully', '', 4],
  ['ful', '', 4],
  ['ity', '', 5],
  ['ly', '', 4],
];

const DERIVATIONS_BY_LAST_LETTER = Map.groupBy(DERIVATIONS, ([suffix]) =>
  suffix.charAt(suffix.length - 1),
);

function withoutDerivation(word: string): string {
  for (const [suffix, replacement, minLeft] of DERIVATIONS_BY_LAST_LETTER.get(
    word.charAt(word.length - 1),
  ) ?? []) {
    if (word.endsWith(suffix) && word.length - suffix.length >= minLeft) {
      // Repeated, because suffixes stack (`document-ation`), and each round shortens the word.
      return withoutDerivation(word.slice(0, -suffix.length) + replacement);
    }
  }
  // `deletion`, `connection`, but not `session`, `version`, `option`.
  return /[st]ion$/.test(word) && word.length >= 8 ? word.slice(0, -3) : word;
}

/** Unifies `price` and `pric(ing)`, `install` and `instal(led)`. */
function finish(word: string): string {
  const bare = word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
  const last = bare.charAt(bare.length - 1);
  return bare.length > 3 && last === bare.charAt(bare.length - 2) && !VOWEL.test(last)
    ? bare.slice(0, -1)
    : bare;
}

/** Base form, then the forms that no suffix rule covers; one family between commas. */
const FAMILIES = `
alias aliases, appendix appendices, become became, begin began begun, break broke broken, bring brought, build built,
buy bought, catch caught, child children, choose chose chosen, come came, cost costs, criterion criteria, die died dying dies,
draw drew drawn, drive drove driven, expire expiry, fail failure failures, embed embedded embedding embeddings embeds,
fall fell fallen, find found, forget forgot forgotten, freeze froze frozen, give gave given, grow grew grown, hide hid hidden,
hold held, index indices indexes, keep kept, know knew known, lie lying, life lives, lose lost, make made, matrix matrices,
mean meant, panic panicked panicking, pay paid payment payments payer, person people persons, proxy proxies proxied,
query queries queried, run ran, say said, see saw seen, seek sought, sell sold, send sent, speak spoke spoken, spend spent,
steal stole stolen, stick stuck, take took taken, teach taught, tell told, think thought, throw threw thrown,
tie tying tied ties, understand understood, use used uses using usage usages, vertex vertices, wear wore worn, win won,
write wrote written, bus buses, status statuses, kubernetes, news, canvas canvases, series, redis, lens lenses,
analysis analyses
`;

/** Inflected form → base form. */
const irregularForms: ReadonlyMap<string, string> = new Map(
  FAMILIES.split(',').flatMap((family) => {
    const forms = family.trim().split(/\s+/);
    return forms.map((form) => [form, forms[0] as string] as const);
  }),
);
