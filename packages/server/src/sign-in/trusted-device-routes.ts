import * as z from 'zod';
import { deleteTrustedDevice, listTrustedDevices } from '../kernel/access/second-factor-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { requirePlatformOrigin } from '../kernel/http/browser-origins.ts';
import * as field from '../kernel/operations/described.ts';
import { noteAccountChange, requireSignedIn } from '../kernel/operations/identify.ts';
import { openOperationsOf } from '../kernel/operations/operation.ts';
import { done } from './auth-operations.ts';

const device = field.resource(
  'TrustedDevice',
  'A browser that signs in without the second factor.',
  {
    id: field.text('Identifier of the browser.'),
    trustedAt: field.text('When the code was entered there.'),
    usedAt: field.text('When it last signed in without a code.'),
    expiresAt: field.text('When it needs a code again.'),
    ipAddress: field.text.orNull('IP address that entered the code.'),
    userAgent: field.text.orNull('Browser that entered the code.'),
  },
  {
    id: '01K9Z5D0G4H8J2K6M1N3P5Q7RT',
    trustedAt: '2026-11-21T09:00:00.000Z',
    usedAt: '2026-11-22T09:00:00.000Z',
    expiresAt: '2026-12-21T09:00:00.000Z',
    ipAddress: '203.0.113.7',
    userAgent: 'Mozilla/5.0',
  },
);

/** `GET /v1/auth/trusted-devices`, `POST /v1/auth/revoke-trusted-device` */
export function trustedDeviceRoutes(app: App, deps: Deps): void {
  const operation = openOperationsOf(app, 'Accounts');
  const { queries } = deps.database;
  operation({
    route: 'GET /v1/auth/trusted-devices',
    operationId: 'listTrustedDevices',
    summary: 'List your trusted browsers',
    description:
      'Lists the browsers that sign in to your account without the second factor. Their trust ends 30 days after the code was entered, and when your password or your second factor changes.',
    security: [{ session: [] }],
    onRequest: async (request) => requirePlatformOrigin(deps.config, request),
    answer: z.array(device),
    refusals: [401, 403],
    run: async ({ request, reply }) => {
      const { id } = await requireSignedIn(deps, request, reply);
      const devices = await listTrustedDevices(queries, id, deps.clock.now());
      return devices.map(({ trustedAt, usedAt, expiresAt, ...rest }) => ({
        ...rest,
        trustedAt: trustedAt.toISOString(),
        usedAt: usedAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      }));
    },
  });
  operation({
    route: 'POST /v1/auth/revoke-trusted-device',
    operationId: 'revokeTrustedDevice',
    summary: 'Stop trusting a browser',
    description:
      'The browser needs the second factor at its next sign-in. Sessions stay as they are.',
    security: [{ session: [] }],
    onRequest: async (request) => requirePlatformOrigin(deps.config, request),
    body: z
      .object({ id: z.string().max(50).describe('`id` of the browser.') })
      .meta({ examples: [{ id: '01K9Z5D0G4H8J2K6M1N3P5Q7RT' }] }),
    answer: done,
    refusals: [401, 403],
    run: async ({ body, request, reply }) => {
      const { id } = await requireSignedIn(deps, request, reply);
      noteAccountChange(request, id);
      return { success: await deleteTrustedDevice(queries, id, body.id) };
    },
  });
}
