import {
  afterCheck,
  boundedRecords,
  type CheckResult,
  type DnsRecord,
  hasProof,
  proofNameOf,
  proofRecords,
} from '@docent/format/access/hostname-proof.ts';
import { listAdminEmailsOf } from '../kernel/access/member-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import { cnameTargetOf } from '../kernel/sites/site-address.ts';
import { findSite, listAliases } from '../kernel/sites/site-queries.ts';
import type { QueryRunner, Transaction } from '../ports/database.ts';
import { DnsFault } from '../ports/dns-lookup.ts';
import { checkHostnameJob, hostnameMailJob } from '../ports/jobs.ts';
import { findHostnameClaim } from './claim-hostnames.ts';
import {
  adoptHostnames,
  findHostnameHolder,
  type HostnameClaim,
  releaseHostname,
  takeDueClaims,
  takeHostname,
  updateHostnameClaim,
} from './queries.ts';

type CheckDeps = Pick<Deps, 'database' | 'dns' | 'clock' | 'config' | 'jobs'>;

/** Admins of an organization who get mail about a hostname. */
const MAX_TOLD = 20;

interface LookedUp {
  result: CheckResult;
  found: DnsRecord[];
  problem: string | null;
}

/**
 * Queries DNS for the proof of a site's hostname, and updates the claim. Of several sites, the
 * first that proves it gets it; a site without a (current) proof loses it to one that has one.
 */
export async function checkHostname(
  deps: CheckDeps,
  hostname: string,
  siteId: string,
): Promise<void> {
  const { queries } = deps.database;
  const claim = await findHostnameClaim(queries, hostname, siteId);
  if (!claim) return;
  const mine = await lookUp(deps, claim);
  const loser = mine.result === 'proven' ? await holderWithoutProof(deps, claim) : undefined;
  await queries.transaction().execute(async (transaction) => {
    if (loser !== undefined) await loseHostname(transaction, hostname, loser);
    await writeResult(deps, transaction, claim, mine);
  });
}

async function writeResult(
  deps: CheckDeps,
  queries: Transaction,
  { hostname, siteId }: HostnameClaim,
  mine: LookedUp,
): Promise<void> {
  const now = deps.clock.now();
  const claim = await findHostnameClaim(queries, hostname, siteId, { forUpdate: true });
  if (!claim) return;
  const isTaken =
    mine.result === 'proven' && (await takeHostname(queries, hostname, siteId)) !== siteId;
  const { status, checkAt } = afterCheck(claim, isTaken ? 'absent' : mine.result, now);
  if (status === 'failed') await releaseHostname(queries, hostname, siteId);
  if (claim.status === 'verified' && !claim.approved && mine.result === 'absent') {
    if (status === 'failed') await tellAdmins(deps, queries, { hostname, siteId, event: 'lapsed' });
    else if (claim.problem === null)
      await tellAdmins(deps, queries, { hostname, siteId, event: 'missing' });
  }
  await updateHostnameClaim(queries, claim, {
    status,
    checkAt,
    checkedAt: now,
    problem: isTaken ? 'Another site has this hostname, and DNS verifies it too.' : mine.problem,
    // If the lookup failed now, the previous result stays.
    ...(mine.result !== 'unknown' && { found: mine.found }),
    ...(mine.result === 'proven' && !isTaken && { provenAt: now }),
  });
}

/** Mails those who can set the records, if the server sends mail. */
async function tellAdmins(
  { jobs, config }: Pick<CheckDeps, 'jobs' | 'config'>,
  transaction: Transaction,
  mail: Omit<ReturnType<typeof hostnameMailJob.parse>, 'email'>,
): Promise<void> {
  if (!config.mail) return;
  for (const email of await listAdminEmailsOf(transaction, mail.siteId, MAX_TOLD))
    await jobs.enqueue(hostnameMailJob, { ...mail, email }, transaction);
}

/** Returns another site that has the hostname, but no DNS records. */
async function holderWithoutProof(
  deps: CheckDeps,
  { hostname, siteId }: HostnameClaim,
): Promise<string | undefined> {
  const holder = await findHostnameHolder(deps.database.queries, hostname);
  if (holder === undefined || holder === siteId) return undefined;
  const claim = await findHostnameClaim(deps.database.queries, hostname, holder);
  return claim && (await lookUp(deps, claim)).result === 'absent' ? holder : undefined;
}

async function loseHostname(queries: QueryRunner, hostname: string, siteId: string): Promise<void> {
  await releaseHostname(queries, hostname, siteId);
  const problem = 'Another site has verified this hostname.';
  await updateHostnameClaim(
    queries,
    { hostname, siteId },
    { status: 'failed', approved: false, checkAt: null, problem },
  );
}

async function lookUp(
  { database, dns, config }: CheckDeps,
  { hostname, siteId, token, status }: HostnameClaim,
): Promise<LookedUp> {
  const site = await findSite(database.queries, siteId);
  // A record that points to a former name of the site is still a proof.
  const slugs = site ? [site.slug, ...(await listAliases(database.queries, siteId))] : [];
  const targets = slugs.length > 0 ? slugs.map((slug) => cnameTargetOf(slug, config)) : [undefined];
  const requiredRecords = targets.flatMap((target) => proofRecords(hostname, token, target));
  const proofName = proofNameOf(hostname);
  const [txt, cname] = await Promise.all([asked(dns.txt(proofName)), asked(dns.cname(hostname))]);
  const all: DnsRecord[] = [
    ...txt.values.map((value) => ({ type: 'TXT' as const, name: proofName, value })),
    ...cname.values.map((value) => ({ type: 'CNAME' as const, name: hostname, value })),
  ];
  const records = boundedRecords(all);
  if (hasProof(all, requiredRecords)) return { result: 'proven', found: records, problem: null };
  const fault = txt.fault ?? cname.fault;
  if (fault !== undefined) return { result: 'unknown', found: records, problem: fault };
  const problem =
    status === 'verified'
      ? 'The records that verify this hostname are missing. Set one of them again; otherwise the hostname stops working after a week.'
      : records.length === 0
        ? 'DNS has none of the required records. A new record can take hours to appear.'
        : 'DNS has different records than required; correct them.';
  return { result: 'absent', found: records, problem };
}

async function asked(answer: Promise<string[]>): Promise<{ values: string[]; fault?: string }> {
  try {
    return { values: await answer };
  } catch (error) {
    if (!(error instanceof DnsFault)) throw error;
    return { values: [], fault: error.message };
  }
}

const MAX_DUE_CHECKS = 200;
/** A check whose job was lost is due again after this time. */
const CHECK_AGAIN_MS = 15 * 60_000;

/** Adds the jobs of due checks: of hostnames without a proof yet, and daily of verified ones. */
export async function addDueChecks({
  database,
  jobs,
  clock,
}: Pick<Deps, 'database' | 'jobs' | 'clock'>): Promise<void> {
  const now = clock.now();
  await adoptHostnames(database.queries, now);
  const again = new Date(now.getTime() + CHECK_AGAIN_MS);
  for (const due of await takeDueClaims(database.queries, { now, again, limit: MAX_DUE_CHECKS }))
    await jobs.enqueue(checkHostnameJob, due);
}
