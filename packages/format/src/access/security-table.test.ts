import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string): string => readFileSync(root + path, 'utf8');

interface Requirement {
  number: string;
  asks: string;
  heldBy: string;
  test: string;
}

/** The rows of the tables in the section about OWASP ASVS. */
const table: Requirement[] = [
  ...read('docs/security.mdx').matchAll(/^\| (\d+\.\d+\.\d+) \| (.*?) \| (.*?) \| (.*?) \|$/gm),
].map(([, number = '', asks = '', heldBy = '', test = '']) => ({ number, asks, heldBy, test }));
const isHeld = ({ heldBy }: Requirement) => !heldBy.startsWith('not held: ');

describe('the table of security requirements', () => {
  it('has every requirement that applies once, in the order of the standard', () => {
    const counts = new Map<string, number>();
    for (const { number } of table) {
      const chapter = number.split('.')[0] as string;
      counts.set(chapter, (counts.get(chapter) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({ 2: 11, 3: 18, 6: 30, 7: 18, 8: 7, 10: 7 });
    const numbers = table.map(({ number }) => number);
    expect(numbers).toEqual(
      [...new Set(numbers)].sort((first, second) =>
        first.localeCompare(second, 'en', { numeric: true }),
      ),
    );
  });

  it('says how many are held, in all and in each chapter', () => {
    const text = read('docs/security.mdx');
    expect(text).toContain(
      `${table.filter(isHeld).length} of the ${table.length} requirements that apply are held`,
    );
    const chapters = [...text.matchAll(/<Accordion title="V(\d+) [^"]*: (\d+) of (\d+)">/g)];
    expect(chapters).toHaveLength(6);
    for (const [, chapter, held, all] of chapters) {
      const rows = table.filter(({ number }) => number.startsWith(`${chapter}.`));
      expect([rows.filter(isHeld).length, rows.length], `V${chapter}`).toEqual([
        Number(held),
        Number(all),
      ]);
    }
  });

  it.each(table.filter((requirement) => isHeld(requirement) || requirement.test !== 'none'))(
    'names a test in the repository for $number',
    ({ test }) => {
      const [, path = '', title = ''] = /^`([\w./-]+)`: (.+)$/.exec(test) ?? [];
      expect(existsSync(root + path), path).toBe(true);
      const source = read(path);
      expect(
        ["'", '"', '`'].some((quote) => source.includes(quote + title + quote)),
        `${path} has a test "${title}"`,
      ).toBe(true);
    },
  );
});

const accounts = 'docs/self-hosting/accounts.mdx';
it.each([
  [
    '2.1.2',
    'docs/api/keys.mdx',
    /only create keys within its own scopes, sites, addresses and expiry/,
  ],
  ['2.1.3', 'docs/api/limits.mdx', /Each organization \|[\s\S]*Each IP address \|[\s\S]*## Quotas/],
  [
    '6.1.1',
    accounts,
    /Wrong passwords are counted[\s\S]*nobody can lock you out[\s\S]*docent users unlock/,
  ],
  ['6.1.2', accounts, /your address and the name of the product are refused/],
  [
    '6.1.3',
    accounts,
    /The ways in are a password, with the second factor of the account; single sign-on; and the links/,
  ],
  [
    '7.1.1',
    accounts,
    /after 30 days without use, and after 90 days in any case[\s\S]*NIST SP 800-63B recommends/,
  ],
  ['7.1.2', accounts, /any number of sessions at a time/],
  [
    '7.1.3',
    'docs/self-hosting/single-sign-on.mdx',
    /Ending an account at the provider does not end\s+sessions that are open here/,
  ],
  [
    '8.1.1',
    accounts,
    /\| Role \| May \|[\s\S]*`viewer`[\s\S]*`editor`[\s\S]*`admin`[\s\S]*`owner`/,
  ],
  ['8.1.2', accounts, /choose the plan of the organization[\s\S]*but never a secret/],
] as const)(
  'the documentation states what OWASP ASVS asks it to state in %s',
  (number, path, statement) => {
    expect(table.map((requirement) => requirement.number)).toContain(number);
    expect(read(path)).toMatch(statement);
  },
);
