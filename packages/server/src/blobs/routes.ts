import { DocentError } from '@docent/format/errors.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { problems } from '../kernel/http/problem.ts';
import { parseRange, sendFile } from '../kernel/http/representations.ts';
import type { LinkVerifier } from '../ports/blob-store.ts';
import type { ByteRange } from '../ports/site-content.ts';

/** `GET /blobs/{key}`: serves the presigned links of the embedded store. */
export function getBlobRoute(
  app: App,
  deps: Pick<Deps, 'blobs'> & { linkVerifier: LinkVerifier },
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/blobs/*',
    schema: {
      params: z.object({ '*': z.string() }),
      response: problems(403, 404),
    },
    handler: async (request, reply) => {
      const key = request.params['*'];
      const query = new URLSearchParams(request.url.split('?').slice(1).join('?'));
      const link = deps.linkVerifier.verifyLink(key, query);
      if (!link.ok) {
        // The same for every key, so that it does not reveal which files exist.
        const why =
          link.reason === 'expired'
            ? 'The link has expired'
            : 'The link was not created by this server';
        throw new DocentError('link_refused', `${why}; request a new one.`);
      }
      const info = (await deps.blobs.stat(key)) ?? refuseMissing();
      reply.header(
        'content-disposition',
        `attachment; filename="${link.filename.replace(/[^\w.-]/g, '_')}"`,
      );
      reply.header('cache-control', 'private, no-store');
      reply.header('accept-ranges', 'bytes').type(info.contentType);
      const range = parseRange(request.headers.range, info.sizeBytes);
      const open = async (part?: ByteRange) => (await deps.blobs.get(key, part)) ?? refuseMissing();
      return sendFile(request, reply, { sizeBytes: info.sizeBytes, range, open });
    },
  });
}

function refuseMissing(): never {
  throw new DocentError('route_not_found', 'The file no longer exists.');
}
