import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ensureDefaultOrganization } from '@docent/server/kernel/access/default-organization.ts';
import { loadConfig } from '@docent/server/kernel/config/config.ts';
import { openPlatform } from '@docent/server/start/compose.ts';
import { sql } from 'kysely';
import { insertMember } from '../packages/server/src/kernel/access/member-queries.ts';
import { createSite } from '../packages/server/src/sites/create-site.ts';
import { freePort } from '../test/support/start-docent.ts';
import { print, quantile } from './measure.ts';

// Response times of the dashboard's requests for a large organization: over HTTP, on the embedded
// database, in one process. node bench/dashboard.ts [conversations=100000] [deployments=10000]
// [keys=1000] [audit=100000] [runs=15]
const [conversations = 100_000, deployments = 10_000, keys = 1000, audit = 100_000, runs = 15] =
  process.argv.slice(2).map(Number);

const folder = await mkdtemp(join(tmpdir(), 'docent-bench-'));
const port = await freePort();
const platform = await openPlatform(
  loadConfig({ DOCENT_DATA: folder, DOCENT_PORT: String(port), DOCENT_LOG_LEVEL: 'silent' }),
);
const origin = await platform.listen();
const { accounts, database, clock } = platform.deps;
const { queries } = database;
const { id: organizationId, plan } = await ensureDefaultOrganization(platform.deps);
const { id: siteId } = await createSite(
  platform.deps,
  { kind: 'operator', organizationId, plan },
  { slug: 'acme', hostnames: [] },
);
const person = { name: 'Ada', email: 'ada@acme.example', password: 'a long passphrase' };
const { id: userId } = await accounts.createUser(person);
await insertMember(queries, { organizationId, userId, role: 'owner', createdAt: clock.now() });
const { cookies } = await accounts.perform({
  method: 'POST',
  path: '/sign-in/email',
  body: person,
});
const headers = { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') };
// One every 25 seconds, so that 100,000 reach back four weeks.
/** Ids in the product's format. */
const idOf = (letter: string) => sql`${`01K${letter}`}::text || lpad(i::text, 22, '0')`;
const at = sql`now() - i * interval '25 seconds'`;
for (const insert of [
  sql`INSERT INTO threads (id, site_id, fp, key_hash, created_at, updated_at)
    SELECT ${idOf('T')}, ${siteId}, 'anonymous', '', ${at}, ${at} FROM generate_series(1, ${conversations}::int) i`,
  sql`INSERT INTO messages (id, thread_id, role, content, status, created_at)
    SELECT ${idOf('Q')}, ${idOf('T')}, 'user', 'How do I install version ' || i || '?', 'complete', ${at} FROM generate_series(1, ${conversations}::int) i`,
  sql`INSERT INTO messages (id, thread_id, role, content, status, outcome, coverage, created_at)
    SELECT ${idOf('A')}, ${idOf('T')}, 'assistant', repeat('Run the installer. ', 20), 'complete',
      (ARRAY['answered', 'answered', 'not_in_docs', 'failed'])[1 + i % 4],
      (ARRAY['answered', 'partly', 'not_in_docs', NULL])[1 + i % 4], ${at} FROM generate_series(1, ${conversations}::int) i`,
  sql`INSERT INTO deployments (id, site_id, status, source_key, summary, created_at)
    SELECT ${idOf('D')}, ${siteId}, 'failure', '', 'A page is missing.', ${at} FROM generate_series(1, ${deployments}::int) i`,
  sql`INSERT INTO api_keys (id, organization_id, kind, name, hash, masked, created_at)
    SELECT ${idOf('K')}, ${organizationId}, 'admin', 'Key ' || i, 'hash' || i, 'svc_…', ${at} FROM generate_series(1, ${keys}::int) i`,
  sql`INSERT INTO audit_log (id, organization_id, at, actor, action, outcome)
    SELECT ${idOf('R')}, ${organizationId}, ${at}, 'operator', 'createKey', 'done' FROM generate_series(1, ${audit}::int) i`,
  sql`ANALYZE`,
])
  await insert.execute(queries);

/** Returns the id in the middle of a list. */
const middleOf = (letter: string, count: number) =>
  `01K${letter}${String(Math.ceil(count / 2)).padStart(22, '0')}`;

const month = `dateFrom=${new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)}`;
const analytics = `/v1/analytics/${siteId}`;
const paths = [
  '/v1/session',
  '/v1/projects',
  '/v1/organization',
  '/v1/organization/usage',
  '/v1/organization/members',
  '/v1/organization/invitations',
  '/v1/keys',
  '/v1/audit-log?limit=50',
  '/v1/audit-log?limit=50&action=nothing',
  '/v1/static-export/jobs?limit=50',
  `/v1/projects/${siteId}/deployments?limit=50`,
  `/v1/projects/${siteId}/deployments?limit=50&status=success`,
  `/v1/projects/${siteId}/deployments/${middleOf('D', deployments)}`,
  `/v1/projects/${siteId}/hostnames`,
  `/v1/projects/${siteId}/previews`,
  `/v1/project/${siteId}/assistant-settings`,
  `/v1/project/${siteId}/analytics-settings`,
  `${analytics}/assistant/threads?limit=50`,
  `${analytics}/assistant/threads?limit=50&outcome=aborted`,
  `${analytics}/assistant/threads?limit=50&outcome=not_in_docs&${month}`,
  `${analytics}/assistant/threads/${middleOf('T', conversations)}`,
  `${analytics}/assistant/caller-stats?${month}`,
  `${analytics}/feedback?limit=50`,
  `${analytics}/feedback?limit=50&helpful=false`,
  ...[
    'searches',
    'views',
    'visitors',
    'traffic-by-day',
    'devices',
    'languages',
    'machines',
    'missing-pages',
    'referrers',
  ].map((name) => `${analytics}/${name}?${month}`),
];
print(
  `${conversations} conversations, ${deployments} deployments, ${keys} keys, ${audit} entries of the audit log\n`,
);
print('| Request | Median, ms | Slowest, ms | Body, KB |\n| --- | --: | --: | --: |');
for (const path of paths) {
  const times: number[] = [];
  let size = 0;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    const response = await fetch(origin + path, { headers });
    const body = await response.text();
    times.push(performance.now() - start);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body.slice(0, 300)}`);
    size = body.length;
  }
  // The first request loads code and fills caches.
  const [, ...warm] = times;
  const name = path.replaceAll(siteId, '{projectId}').replace(month, 'dateFrom=…');
  print(
    `| \`${name}\` | ${quantile(warm, 0.5).toFixed(1)} | ${Math.max(...warm).toFixed(1)} | ${(size / 1024).toFixed(1)} |`,
  );
}
await platform.close();
await rm(folder, { recursive: true });
