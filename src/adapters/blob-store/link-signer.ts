import { createHmac, timingSafeEqual } from 'node:crypto';
import type { LinkVerifier, PresignedLink, PresignOptions } from '../../ports/blob-store.ts';
import type { Clock } from '../../ports/clock.ts';
import { checkLinkOptions } from './check-arguments.ts';

export interface LinkSignerOptions {
  /** Address at which readers reach the server; a function if it is known only after the start. */
  linkBaseUrl: string | (() => string);
  /** Anyone who has this secret can create links. */
  secret: string;
  clock: Clock;
}

/** Creates links to blobs that work without a key until they expire. Each link is signed (HMAC, RFC 2104). */
export class LinkSigner implements LinkVerifier {
  readonly #options: LinkSignerOptions;

  constructor(options: LinkSignerOptions) {
    this.#options = options;
  }

  /** Throws like `checkLinkOptions`. */
  sign(key: string, options: PresignOptions): PresignedLink {
    checkLinkOptions(options);
    const { expiresInSeconds, filename } = options;
    const { linkBaseUrl, clock } = this.#options;
    const expires = Math.floor(clock.now().getTime() / 1000 + expiresInSeconds);
    const query = new URLSearchParams({
      expires: String(expires),
      filename,
      signature: this.#signature(key, String(expires), filename),
    });
    const base = typeof linkBaseUrl === 'string' ? linkBaseUrl : linkBaseUrl();
    return { url: `${base.replace(/(?<!\/)\/+$/, '')}/blobs/${key}?${query}`, expiresAt: new Date(expires * 1000) };
  }

  verifyLink(key: string, query: URLSearchParams): ReturnType<LinkVerifier['verifyLink']> {
    const expires = query.get('expires') ?? '';
    const filename = query.get('filename') ?? '';
    const given = Buffer.from(query.get('signature') ?? '');
    const expected = Buffer.from(this.#signature(key, expires, filename));
    // Nothing in the link is trusted before this point, including its expiry time.
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { ok: false, reason: 'forged' };
    if (Number(expires) * 1000 <= this.#options.clock.now().getTime()) return { ok: false, reason: 'expired' };
    return { ok: true, filename };
  }

  #signature(key: string, expires: string, filename: string): string {
    // JSON ensures that no two different links have the same text.
    return createHmac('sha256', this.#options.secret)
      .update(JSON.stringify([key, expires, filename]))
      .digest('hex');
  }
}
