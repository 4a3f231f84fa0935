/** A record of the domain name system, as people write it into a zone. */
export interface DnsRecord {
  type: 'TXT' | 'CNAME';
  name: string;
  value: string;
}

export type HostnameStatus = 'pending' | 'verified' | 'failed';

const VALUE_PREFIX = 'docent-verification=';
const MAX_RECORDS_KEPT = 20;
const MAX_VALUE_CHARACTERS = 300;

/** The name whose TXT records prove a hostname; nobody can have it as a hostname themselves. */
export function proofNameOf(hostname: string): string {
  return `_docent.${hostname}`;
}

/**
 * The records that prove a hostname, of which one suffices.
 * @param token random, of this claim alone
 * @param target name of the site below the sites domain, where others can reach it
 */
export function proofRecords(hostname: string, token: string, target: string | undefined): DnsRecord[] {
  const txt: DnsRecord = { type: 'TXT', name: proofNameOf(hostname), value: VALUE_PREFIX + token };
  return target === undefined ? [txt] : [txt, { type: 'CNAME', name: hostname, value: target }];
}

/** Whether what was found has one of the wanted records. */
export function hasProof(found: readonly DnsRecord[], wanted: readonly DnsRecord[]): boolean {
  return wanted.some((one) =>
    found.some(({ type, name, value }) => type === one.type && name === one.name && value.trim() === one.value),
  );
}

/** Of records that others wrote, as much as is kept and shown. */
export function boundedRecords(found: readonly DnsRecord[]): DnsRecord[] {
  return found.slice(0, MAX_RECORDS_KEPT).map((one) => ({ ...one, value: one.value.slice(0, MAX_VALUE_CHARACTERS) }));
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long a proof is waited for. */
const PENDING_MS = 14 * DAY_MS;
/** How long a hostname stays verified whose records are gone. */
const LAPSE_MS = 7 * DAY_MS;

/** What a check knows of a claim, and what DNS said. `unknown`: no answer could be had. */
export interface CheckedClaim {
  status: HostnameStatus;
  /** Verified by the operator. */
  approved: boolean;
  pendingSince: Date;
  provenAt: Date | null;
}

export type CheckResult = 'proven' | 'absent' | 'unknown';

/**
 * What becomes of a claim after a check. An answer that could not be had changes nothing; a verified hostname is lost only where its
 * records were gone for a week; one that is not proven within two weeks has failed and waits for its owner.
 * @returns `checkAt`: when DNS is asked again, `null` for not by itself
 */
export function afterCheck(
  claim: CheckedClaim,
  result: CheckResult,
  now: Date,
): { status: HostnameStatus; checkAt: Date | null } {
  const later = (ms: number) => new Date(now.getTime() + ms);
  if (result === 'proven') return { status: 'verified', checkAt: claim.approved ? null : later(DAY_MS) };
  if (claim.approved) return { status: 'verified', checkAt: null };
  if (claim.status === 'verified') {
    const goneMs = now.getTime() - (claim.provenAt ?? claim.pendingSince).getTime();
    if (result === 'absent' && goneMs > LAPSE_MS) return { status: 'failed', checkAt: null };
    return { status: 'verified', checkAt: later(result === 'unknown' ? HOUR_MS : DAY_MS) };
  }
  const waitedMs = now.getTime() - claim.pendingSince.getTime();
  if (claim.status === 'failed' || waitedMs > PENDING_MS) return { status: 'failed', checkAt: null };
  return { status: 'pending', checkAt: later(Math.min(6 * HOUR_MS, Math.max(MINUTE_MS, waitedMs / 4))) };
}
