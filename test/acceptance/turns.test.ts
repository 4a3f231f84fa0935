import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addHostileOrganization, page, site } from '../support/hostile-organization.ts';
import { call, fixtureSite, publishArchive, tarball } from '../support/http.ts';
import { postgresBin, startPostgres } from '../support/postgres.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

// What a failed attempt has left would be in the way of the next: each starts servers of its own.
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let docent: RunningDocent;
let address: string;
let isOver: boolean;
let attacks: Promise<void>[];

beforeEach(async () => {
  if (postgresBin === undefined) return;
  [isOver, attacks] = [false, []];
  postgres = await startPostgres();
  address = await postgres.createDatabase();
  docent = await startDocent({
    env: {
      DOCENT_DATABASE: 'postgres',
      DOCENT_DATABASE_URL: address,
      DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR: '10000',
      DOCENT_PUBLISHES_PER_PROCESS: '1',
      DOCENT_BUILD_CPU_SECONDS: '3',
    },
  });
});
afterEach(async () => {
  isOver = true;
  await docent?.stop();
  await Promise.all(attacks ?? []);
  await postgres?.stop();
});
afterAll(removeTemporaryFolders);

/** A site whose build uses up its budget: code in which no line is there twice. */
const endless = site(
  page(
    `${Array.from({ length: 30_000 }, (_, index) => {
      const line = `template <class T${index}> auto f${index}(T a) { return a<b>(c, "x"); }`;
      return index % 200 === 0 ? `${index > 0 ? '```\n\n' : ''}\`\`\`cpp\n${line}` : line;
    }).join('\n')}\n\`\`\``,
  ),
);

interface Deployment {
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  status: string;
  summary: string;
}

test.skipIf(postgresBin === undefined)(
  'eight organizations that publish without pause, six of one person, delay the publish of another by one build at most',
  { timeout: 600_000 },
  async () => {
    const names = Array.from({ length: 8 }, (_, index) => `hostile-${index}`);
    const hostile = await Promise.all(
      names.map(async (slug, index) => {
        const createdByUser = index < 2 ? null : 'mallory';
        return {
          slug,
          docent: {
            ...docent,
            adminKey: await addHostileOrganization(address, { slug, createdByUser }),
          },
        };
      }),
    );
    const deploymentsOf = async (from: { adminKey: string; apiUrl: string }, slug: string) => {
      const answer = await call(
        docent,
        from.adminKey,
        'GET',
        `/v1/projects/${slug}/deployments?limit=100`,
      );
      return ((await answer.json()) as { items?: Deployment[] }).items ?? [];
    };
    const attack = async (from: typeof docent, slug: string) => {
      // Those that wait too long, or are still building when the test ends, are nobody's concern.
      while (!isOver) await publishArchive(from, slug, endless).catch(() => {});
    };
    // Of each who is accountable, a publish always waits while another is built.
    const sites = [
      ...hostile,
      ...hostile.slice(0, 2).map(({ slug, docent: from }) => ({ slug: `${slug}-b`, docent: from })),
    ];
    attacks = sites.map(({ slug, docent: from }) => attack(from, slug));
    // Until each of the accountable has had a turn.
    const begun = async () => {
      const counts = await Promise.all(
        [hostile.slice(0, 1), hostile.slice(1, 2), hostile.slice(2)].map(async (group) => {
          const rows = await Promise.all(
            group.map(({ slug, docent: from }) => deploymentsOf(from, slug)),
          );
          return rows
            .flat()
            .filter(({ startedAt, endedAt }) => startedAt !== null && endedAt !== null).length;
        }),
      );
      return counts.every((count) => count > 0);
    };
    await vi.waitFor(async () => expect(await begun()).toBe(true), {
      timeout: 300_000,
      interval: 500,
    });
    // Each of them has used nothing: who publishes twice has had a turn.
    const quiet: Deployment[] = [];
    for (const slug of ['quiet-0', 'quiet-1']) {
      const from = { ...docent, adminKey: await addHostileOrganization(address, { slug }) };
      const { status, logs } = await publishArchive(from, slug, tarball(fixtureSite('small')));
      expect(status, logs.join('\n')).toBe('success');
      quiet.push(...(await deploymentsOf(from, slug)));
    }
    const others = (
      await Promise.all(sites.map(({ slug, docent: from }) => deploymentsOf(from, slug)))
    ).flat();
    const before = quiet.map(
      ({ createdAt, startedAt }) =>
        others.filter(
          (other) =>
            (other.startedAt ?? '') > createdAt && (other.startedAt ?? '') < (startedAt ?? ''),
        ).length,
    );
    expect(before).toHaveLength(2);
    // One was being built when it came; at most the next had been taken from the queue by then.
    expect(Math.max(...before)).toBeLessThanOrEqual(1);
    const ended = others.filter(
      ({ status, startedAt }) => status === 'failure' && startedAt !== null,
    );
    expect(new Set(ended.map(({ summary }) => /more than \d+ CPU seconds/.test(summary)))).toEqual(
      new Set([true]),
    );
  },
);
