import { DocentError } from '@docent/format/errors.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { isOperatorRequest } from '../kernel/operations/identify.ts';
import { SNAPSHOT_ROUTE } from './backup-form.ts';

/**
 * Registers the route for `docent backup`, which reads the data folder itself, but not the files of
 * an open database.
 */
export function snapshotRoute(app: App, { database }: Pick<Deps, 'database'>): void {
  app.route({
    method: 'POST',
    url: SNAPSHOT_ROUTE,
    schema: { body: z.object({ owner: z.number().int().positive() }), hide: true },
    onRequest: async (request) => {
      // As if it did not exist: nobody else has a use for it.
      if (!isOperatorRequest(request) || !database.snapshot)
        throw new DocentError('route_not_found', 'Nothing was found at this address.');
    },
    handler: async ({ body }) => ({ folder: await database.snapshot?.(body.owner) }),
  });
}
