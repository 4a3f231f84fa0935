import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DocentError } from '../../../core/errors.ts';
import type { BlobInfo, LinkVerifier } from '../../../ports/blob-store.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../base-app.ts';
import { problems } from '../../problem.ts';
import { parseRange } from '../site/representations.ts';

/** `GET /blobs/{key}`: serves the presigned links of the embedded store. */
export function getBlobRoute(app: App, deps: Pick<Deps, 'blobs'> & { linkVerifier: LinkVerifier }): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/blobs/*',
    schema: {
      hide: true,
      params: z.object({ '*': z.string() }),
      response: problems(403, 404),
    },
    handler: async (request, reply) => {
      const key = request.params['*'];
      const query = new URLSearchParams(request.url.split('?').slice(1).join('?'));
      const link = deps.linkVerifier.verifyLink(key, query);
      if (!link.ok) {
        // The same for every key, so that it does not reveal which files exist.
        const why = link.reason === 'expired' ? 'The link has expired' : 'The link was not created by this server';
        throw new DocentError('link_refused', `${why}; request a new one.`);
      }
      const info = await deps.blobs.stat(key);
      if (!info) throw new DocentError('route_not_found', 'The file no longer exists.');
      reply.header('content-disposition', `attachment; filename="${link.filename.replace(/[^\w.-]/g, '_')}"`);
      reply.header('cache-control', 'private, no-store').header('x-content-type-options', 'nosniff');
      return sendRange(deps, key, info, request, reply);
    },
  });
}

async function sendRange(
  { blobs }: Pick<Deps, 'blobs'>,
  key: string,
  info: BlobInfo,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  reply.header('accept-ranges', 'bytes').type(info.contentType);
  const range = parseRange(request.headers.range, info.sizeBytes);
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${info.sizeBytes}`).send();
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${info.sizeBytes}`);
  reply.header('content-length', range ? range.end - range.start + 1 : info.sizeBytes);
  if (request.method === 'HEAD') return reply.send();
  const bytes = await blobs.get(key, range);
  if (!bytes) throw new DocentError('route_not_found', 'The file no longer exists.');
  return reply.send(Readable.from(bytes));
}
