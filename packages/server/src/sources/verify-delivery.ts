import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { oneLine } from '@docent/format/deployments/commit.ts';
import { isSecret } from '../kernel/ids.ts';
import { signatureOf } from '../outside/signed-webhook.ts';

/** What the server of a repository sent, as it arrived. */
export interface Delivery {
  headers: IncomingHttpHeaders;
  body: Uint8Array;
}

interface Scheme {
  /** The header that says that a delivery is signed in this way. */
  header: string;
  isValid(sent: string, secret: string, delivery: Delivery, now: Date): boolean;
  /** Headers with the id of the delivery; the first that is there counts. */
  ids: readonly string[];
  /**
   * Whether the signature covers the id. Where it does not, a delivery could be repeated under
   * another one.
   */
  isIdSigned?: true;
  /** Whether its senders turn a webhook off after several refusals in a row. */
  stopsAfterRefusals?: true;
}

/** Clocks may differ by this much where a signature covers the time. */
const MAX_SKEW_SECONDS = 300;

const hexHmac = (secret: string, body: Uint8Array) =>
  createHmac('sha256', secret).update(body).digest('hex');
const isHex = (sent: string, secret: string, { body }: Delivery) =>
  isSecret(sent.toLowerCase(), hexHmac(secret, body));
const isPrefixedHex = (sent: string, secret: string, { body }: Delivery) =>
  isSecret(sent.toLowerCase(), `sha256=${hexHmac(secret, body)}`);

/** The first whose header is there counts. Gitea and Forgejo also send the headers of GitHub. */
const SCHEMES: readonly Scheme[] = [
  { header: 'x-forgejo-signature', isValid: isHex, ids: ['x-forgejo-delivery'] },
  { header: 'x-gitea-signature', isValid: isHex, ids: ['x-gitea-delivery'] },
  { header: 'x-hub-signature-256', isValid: isPrefixedHex, ids: ['x-github-delivery'] },
  // Bitbucket, in the cloud and in a data center.
  {
    header: 'x-hub-signature',
    isValid: isPrefixedHex,
    ids: ['x-request-uuid', 'x-request-id'],
    stopsAfterRefusals: true,
  },
  { header: 'webhook-signature', isValid: isStandard, ids: ['webhook-id'], isIdSigned: true },
  {
    header: 'x-gitlab-token',
    isValid: isSecret,
    ids: ['idempotency-key', 'x-gitlab-event-uuid'],
    stopsAfterRefusals: true,
  },
  // Azure Repos; the user name does not matter.
  { header: 'authorization', isValid: isPassword, ids: [], stopsAfterRefusals: true },
];

/** Headers that name the event; Azure Repos has it in the body. */
const EVENTS = [
  'x-forgejo-event',
  'x-gitea-event',
  'x-github-event',
  'x-gitlab-event',
  'x-event-key',
];
const MAX_LABEL = 100;

const HEADERS = SCHEMES.map(({ header }) => header);

/**
 * Checks that a delivery comes from somebody who knows the secret, in constant time.
 * @param headers of the signatures that are accepted; by default those of all servers
 * @returns what identifies it: its id, and its content where the id is not signed; undefined if it
 *   does not
 */
export function verifyDelivery(
  delivery: Delivery,
  secret: string,
  now: Date,
  headers: readonly string[] = HEADERS,
): string[] | undefined {
  const scheme = schemeOf(delivery, headers);
  if (!scheme?.isValid(String(delivery.headers[scheme.header]), secret, delivery, now))
    return undefined;
  const name = scheme.ids.find((header) => delivery.headers[header] !== undefined);
  const id = name === undefined ? [] : [`id ${String(delivery.headers[name]).slice(0, 200)}`];
  if (scheme.isIdSigned) return id;
  const content = `content ${createHash('sha256').update(delivery.body).digest('hex')}`;
  return [content, ...id];
}

function schemeOf({ headers }: Delivery, accepted: readonly string[]): Scheme | undefined {
  return SCHEMES.find(({ header }) => accepted.includes(header) && headers[header] !== undefined);
}

/** What a delivery calls itself, whether or not that is true. */
export function labelsOf(delivery: Delivery): { event: string | null; deliveryId: string | null } {
  const { ids = [] } = schemeOf(delivery, HEADERS) ?? {};
  return { event: textIn(delivery, EVENTS), deliveryId: textIn(delivery, ids) };
}

function textIn({ headers }: Delivery, names: readonly string[]): string | null {
  const name = names.find((header) => headers[header] !== undefined);
  return (name && oneLine(String(headers[name]), MAX_LABEL)) || null;
}

/** Returns whether a delivery must be JSON: that of everybody who signs in a way of their own. */
export function isWrittenAsJson(delivery: Delivery): boolean {
  return schemeOf(delivery, HEADERS)?.isIdSigned !== true || isOfGitLab(delivery);
}

/** Returns whether the sender of a valid delivery stops sending after several refusals. */
export function stopsAfterRefusals(delivery: Delivery): boolean {
  return schemeOf(delivery, HEADERS)?.stopsAfterRefusals === true || isOfGitLab(delivery);
}

/** Newer versions of GitLab sign by Standard Webhooks. */
const isOfGitLab = ({ headers }: Delivery) => headers['x-gitlab-event'] !== undefined;

/** Standard Webhooks 1.0, which newer versions of GitLab sign by too. */
function isStandard(sent: string, secret: string, { headers, body }: Delivery, now: Date): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  const skew = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (id === undefined || !(skew <= MAX_SKEW_SECONDS)) return false;
  const signature = signatureOf(secret, { id: String(id), timestamp: String(timestamp), body });
  return sent.split(' ').some((candidate) => isSecret(candidate, signature));
}

function isPassword(sent: string, secret: string): boolean {
  const [scheme, value = ''] = sent.split(' ');
  if (scheme?.toLowerCase() !== 'basic') return false;
  return isSecret(
    Buffer.from(value, 'base64')
      .toString('utf8')
      .replace(/^[^:]*:/, ''),
    secret,
  );
}
