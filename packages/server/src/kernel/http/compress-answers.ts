import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { App } from './base-app.ts';
import { chooseEncoding } from './representations.ts';

const MIN_BYTES = 1024;
/**
 * Lists compress by a factor of twenty at this level too, in a tenth of the time of the highest.
 */
const BROTLI_LEVEL = 4;

const brotli = promisify(brotliCompress);
const encoders = {
  br: (text: string) =>
    brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL } }),
  gzip: promisify(gzip) as (text: string) => Promise<Buffer>,
};

/**
 * Compresses longer JSON responses to GET. Not those to other methods: they may contain a new
 * secret next to what the caller sent, whose length would then depend on both (BREACH). Not
 * streams, whose events must arrive one by one, and not resources with an
 * `ETag`, which names one representation.
 */
export function compressAnswers(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'GET' || typeof payload !== 'string' || payload.length < MIN_BYTES)
      return done();
    if (!/^application\/(?:[\w.-]+\+)?json\b/.test(String(reply.getHeader('content-type') ?? '')))
      return done();
    if (reply.hasHeader('content-encoding') || reply.hasHeader('etag')) return done();
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (encoding === 'identity') return done();
    reply.header('content-encoding', encoding).removeHeader('content-length');
    encoders[encoding](payload).then((bytes) => done(null, bytes), done);
  });
}
