/** A DNS record, as written in a zone. */
export interface DnsRecord {
  type: 'TXT' | 'CNAME';
  name: string;
  value: string;
}

export type HostnameStatus = 'pending' | 'verified' | 'failed';

const VALUE_PREFIX = 'docent-verification=';
const MAX_RECORDS_KEPT = 20;
const MAX_VALUE_CHARACTERS = 300;

/** The name whose TXT records prove a hostname; it cannot be claimed as a hostname itself. */
export function proofNameOf(hostname: string): string {
  return `_docent.${hostname}`;
}

/**
 * Returns the records that prove a hostname; one of them suffices.
 * @param token random, unique to this claim
 * @param target name of the site below the sites domain, where it is reachable
 */
export function proofRecords(
  hostname: string,
  token: string,
  target: string | undefined,
): DnsRecord[] {
  const txt: DnsRecord = { type: 'TXT', name: proofNameOf(hostname), value: VALUE_PREFIX + token };
  return target === undefined ? [txt] : [txt, { type: 'CNAME', name: hostname, value: target }];
}

/** Returns whether the found records include one of the wanted ones. */
export function hasProof(
  records: readonly DnsRecord[],
  expectedRecords: readonly DnsRecord[],
): boolean {
  return expectedRecords.some((record) =>
    records.some(
      ({ type, name, value }) =>
        type === record.type && name === record.name && value.trim() === record.value,
    ),
  );
}

/**
 * Returns when a verified hostname stops working unless its proof is found again; `null` while
 * nothing is wrong with it.
 * @param claim `problem`: what the last check found wrong
 */
export function lapseTime({
  status,
  approved,
  problem,
  provenAt,
  pendingSince,
}: CheckedClaim & { problem: string | null }): Date | null {
  if (status !== 'verified' || approved || problem === null) return null;
  return new Date((provenAt ?? pendingSince).getTime() + LAPSE_MS);
}

/** Limits the number and length of the found records that are kept and shown. */
export function boundedRecords(records: readonly DnsRecord[]): DnsRecord[] {
  return records
    .slice(0, MAX_RECORDS_KEPT)
    .map((record) => ({ ...record, value: record.value.slice(0, MAX_VALUE_CHARACTERS) }));
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long to wait for a proof. */
const PENDING_MS = 14 * DAY_MS;
/** How long a hostname stays verified after its records disappear. */
const LAPSE_MS = 7 * DAY_MS;

/** The state of a claim and the result of the DNS check. `unknown`: the check got no answer. */
export interface CheckedClaim {
  status: HostnameStatus;
  /** Verified by the operator. */
  approved: boolean;
  pendingSince: Date;
  provenAt: Date | null;
}

export type CheckResult = 'proven' | 'absent' | 'unknown';

/**
 * Returns the state of a claim after a check. A check without an answer changes nothing. A verified
 * hostname is lost only after its records were missing for a week. A claim that is not proven
 * within two weeks fails and waits for its owner.
 * @returns `checkAt`: when to query DNS again; `null` for not automatically
 */
export function afterCheck(
  claim: CheckedClaim,
  result: CheckResult,
  now: Date,
): { status: HostnameStatus; checkAt: Date | null } {
  const later = (ms: number) => new Date(now.getTime() + ms);
  if (result === 'proven')
    return { status: 'verified', checkAt: claim.approved ? null : later(DAY_MS) };
  if (claim.approved) return { status: 'verified', checkAt: null };
  if (claim.status === 'verified') {
    const goneMs = now.getTime() - (claim.provenAt ?? claim.pendingSince).getTime();
    if (result === 'absent' && goneMs > LAPSE_MS) return { status: 'failed', checkAt: null };
    return { status: 'verified', checkAt: later(result === 'unknown' ? HOUR_MS : DAY_MS) };
  }
  const waitedMs = now.getTime() - claim.pendingSince.getTime();
  if (claim.status === 'failed' || waitedMs > PENDING_MS)
    return { status: 'failed', checkAt: null };
  return {
    status: 'pending',
    checkAt: later(Math.min(6 * HOUR_MS, Math.max(MINUTE_MS, waitedMs / 4))),
  };
}
