import { z } from 'zod';
import type { JobDefinition } from '../ports/job-queue.ts';

const payload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('invitation'), invitationId: z.string() }),
  z.object({ kind: z.literal('password-reset'), email: z.string() }),
]);

/** Sends a mail. What is in it, secrets above all, is made when it is sent, and is in no row of the queue. */
export const sendMailJob: JobDefinition<z.infer<typeof payload>> = {
  name: 'send-mail',
  parse: (value) => payload.parse(value),
  retryLimit: 8,
  retryDelaySeconds: 10,
  maxRetryDelaySeconds: 1800,
  heartbeatSeconds: 60,
};
