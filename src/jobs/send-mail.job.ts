import { z } from 'zod';
import type { JobDefinition } from '../ports/job-queue.ts';

const payload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('invitation'), invitationId: z.string() }),
  z.object({ kind: z.literal('password-reset'), email: z.string() }),
]);

/** Sends a mail. Its content, secrets above all, is created on sending and is never stored in the queue. */
export const sendMailJob: JobDefinition<z.infer<typeof payload>> = {
  name: 'send-mail',
  parse: (value) => payload.parse(value),
  retryLimit: 8,
  retryDelaySeconds: 10,
  maxRetryDelaySeconds: 1800,
  heartbeatSeconds: 60,
};
