/** Base form, then the forms that no suffix rule covers. One family per line. */
const FAMILIES = `
alias aliases
appendix appendices
become became
begin began begun
break broke broken
bring brought
build built
buy bought
catch caught
child children
choose chose chosen
come came
cost costs
criterion criteria
die died dying dies
draw drew drawn
drive drove driven
expire expiry
fail failure failures
embed embedded embedding embeddings embeds
fall fell fallen
find found
forget forgot forgotten
freeze froze frozen
give gave given
grow grew grown
hide hid hidden
hold held
index indices indexes
keep kept
know knew known
lie lying
life lives
lose lost
make made
matrix matrices
mean meant
panic panicked panicking
pay paid payment payments payer
person people persons
proxy proxies proxied
query queries queried
run ran
say said
see saw seen
seek sought
sell sold
send sent
speak spoke spoken
spend spent
steal stole stolen
stick stuck
take took taken
teach taught
tell told
think thought
throw threw thrown
tie tying tied ties
understand understood
use used uses using usage usages
vertex vertices
wear wore worn
win won
write wrote written
bus buses
status statuses
kubernetes
news
canvas canvases
series
redis
lens lenses
analysis analyses
`;

/** Inflected form → base form. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  FAMILIES.trim()
    .split('\n')
    .flatMap((family) => {
      const [base, ...forms] = family.split(' ') as [string, ...string[]];
      return [base, ...forms].map((form) => [form, base] as const);
    }),
);
