import { randomUUID } from 'node:crypto';
import type { Deps } from '../../kernel/deps.ts';
import { hashSecret } from '../../kernel/ids.ts';
import { openSecret, sealSecret } from '../../kernel/sealed-secrets.ts';
import { useProof } from './proof-rows.ts';

type PassDeps = Pick<Deps, 'database' | 'clock' | 'secret'>;
type PassUse = 'members who read' | 'views as a reader';

interface Pass<Content> {
  id: string;
  siteId: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  content: Content;
}

const PASS_MS = 60_000;

/**
 * Returns the address that signs somebody of the dashboard in to a site, once and for a minute.
 * @param callback the address that takes the pass
 * @param path path of the site to continue to
 */
export function passAddress<Content>(
  { clock, secret }: PassDeps,
  use: PassUse,
  { siteId, callback, path }: { siteId: string; callback: string; path: string },
  content: Content,
): string {
  const expiresAt = clock.now().getTime() + PASS_MS;
  const pass: Pass<Content> = { id: randomUUID(), siteId, expiresAt, content };
  const token = sealSecret(secret, use, JSON.stringify(pass));
  return `${callback}?${new URLSearchParams({ token, redirect: path })}`;
}

/**
 * Returns what a pass says, and uses it up; undefined if it is not for this site, has expired, or
 * was used.
 */
export async function takePass<Content>(
  { database, clock, secret }: PassDeps,
  use: PassUse,
  siteId: string,
  token: string,
): Promise<Content | undefined> {
  const text = openSecret(secret, use, token);
  const pass = text === undefined ? undefined : (JSON.parse(text) as Pass<Content>);
  if (pass?.siteId !== siteId || pass.expiresAt <= clock.now().getTime()) return undefined;
  const proof = hashSecret(`${siteId} ${pass.id}`);
  const isFirst = await useProof(database.queries, proof, new Date(pass.expiresAt));
  return isFirst ? pass.content : undefined;
}
