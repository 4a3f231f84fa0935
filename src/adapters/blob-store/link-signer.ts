import { createHmac, timingSafeEqual } from 'node:crypto';
import type { LinkVerifier, PresignedLink, PresignOptions } from '../../ports/blob-store.ts';
import type { Clock } from '../../ports/clock.ts';
import { checkLinkOptions } from './link-options.ts';

export interface LinkSignerOptions {
  /** Address that readers reach the server by; a function where it is known only after the start. */
  linkBaseUrl: string | (() => string);
  /** Whoever has it can make links. */
  secret: string;
  clock: Clock;
}

/** Links to blobs that work without a key until they expire, because nobody else can sign them (HMAC, RFC 2104). */
export class LinkSigner implements LinkVerifier {
  readonly #options: LinkSignerOptions;

  constructor(options: LinkSignerOptions) {
    this.#options = options;
  }

  /** Throws as `checkLinkOptions`. */
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
    // Only after this is anything in the link trusted, its time included.
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { ok: false, reason: 'forged' };
    if (Number(expires) * 1000 <= this.#options.clock.now().getTime()) return { ok: false, reason: 'expired' };
    return { ok: true, filename };
  }

  #signature(key: string, expires: string, filename: string): string {
    // As JSON no two different links have the same text.
    return createHmac('sha256', this.#options.secret)
      .update(JSON.stringify([key, expires, filename]))
      .digest('hex');
  }
}
