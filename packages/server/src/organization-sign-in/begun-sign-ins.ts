import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../kernel/deps.ts';
import { cookiesOf, cookieText } from '../kernel/http/cookies.ts';
import { openSecret, sealSecret } from '../kernel/sealed-secrets.ts';
import { SIGN_IN_SECONDS } from '../readers/routes/begun-sign-ins.ts';
import type { Challenge } from '../readers/sign-in/providers.ts';

/** A sign-in of a person that began in this browser, as its cookie keeps it. */
export interface Begun {
  organizationId: string;
  /** Binds the answer of the provider; used once. */
  state: string;
  /** For OpenID Connect. */
  challenge?: Challenge;
  generation: string;
  redirect: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

type BegunDeps = Pick<Deps, 'secret' | 'clock' | 'config'>;

const COOKIE = 'docent-organization-sign-in';
const USE = 'sign-ins of people';

/** Keeps a sign-in in the browser until the provider leads back. */
export function rememberSignIn(
  deps: BegunDeps,
  reply: FastifyReply,
  begun: Omit<Begun, 'expiresAt'>,
): void {
  const expiresAt = deps.clock.now().getTime() + SIGN_IN_SECONDS * 1000;
  const sealed = sealSecret(deps.secret, USE, JSON.stringify({ ...begun, expiresAt }));
  setCookie(deps, reply, encodeURIComponent(sealed), SIGN_IN_SECONDS);
}

export function forgetSignIn(deps: BegunDeps, reply: FastifyReply): void {
  setCookie(deps, reply, '', 0);
}

/** Returns the sign-in that began in the browser of a request, unless it took too long. */
export function signInOf(
  { secret, clock, config }: BegunDeps,
  request: FastifyRequest,
): Begun | undefined {
  const [value = ''] = cookiesOf(request, cookieName(config));
  const encoded = /^(?:[\w.-]|%[0-7][0-9a-f])*$/i.test(value) ? value : '';
  const text = openSecret(secret, USE, decodeURIComponent(encoded));
  const begun = text === undefined ? undefined : (JSON.parse(text) as Begun);
  return begun && begun.expiresAt > clock.now().getTime() ? begun : undefined;
}

const isEncrypted = ({ publicUrl }: Deps['config']) => publicUrl.startsWith('https:');
const cookieName = (config: Deps['config']) => `${isEncrypted(config) ? '__Host-' : ''}${COOKIE}`;

function setCookie({ config }: BegunDeps, reply: FastifyReply, value: string, seconds: number) {
  const cookie = { name: cookieName(config), value, seconds, isEncrypted: isEncrypted(config) };
  reply.header('set-cookie', cookieText(cookie));
}
