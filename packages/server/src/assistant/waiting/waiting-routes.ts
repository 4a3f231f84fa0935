import { html } from '@docent/format/html.ts';
import { PLAIN_PAGE_POLICY, plainPage } from '@docent/theme/plain-page.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import { liveSite, ownOriginsOf } from '../../kernel/http/asked-site.ts';
import type { App } from '../../kernel/http/base-app.ts';
import { requireOwnOrigin } from '../../kernel/http/browser-origins.ts';
import { acceptForms } from '../../kernel/http/forms.ts';
import { SITE_ROUTE } from '../../kernel/http/site-route.ts';
import { countAddress, WAITING_PER_IP } from '../../kernel/operations/rate-limits.ts';
import { FORGET_PATH } from './tell-readers.ts';
import { forgetAddress, waitForAnswer } from './waiting-readers.ts';

const waitingBody = z.object({
  threadId: z.string().max(64),
  messageId: z.string().max(256),
  /** Null deletes it. */
  email: z.email().max(254).nullable(),
});
const FORGET_ROUTE = `${SITE_ROUTE}/${FORGET_PATH}/:addressKey`;

/**
 * Routes on the address of a site for readers whose question has no answer: they leave an address
 * in the panel, and delete it there or by the link in the mail.
 */
export function waitingRoutes(app: App, deps: Deps): void {
  const siteOf = (request: FastifyRequest) => liveSite(deps, request);
  const onRequest = [requireOwnOrigin(async (request) => ownOriginsOf(await siteOf(request)))];
  app.post(
    `${SITE_ROUTE}/_docent/assistant/waiting`,
    { onRequest, schema: { body: waitingBody } },
    async (request, reply) => {
      const { siteId } = await siteOf(request);
      await countAddress(deps, request, WAITING_PER_IP);
      await waitForAnswer(deps, { siteId, ...request.body });
      return reply.code(204).send();
    },
  );
  app.register(async (forms: App) => {
    acceptForms(forms);
    // Programs that read mail open the links in it, so only the button deletes.
    forms.get(FORGET_ROUTE, async (_request, reply) =>
      sendPage(
        reply,
        'Delete your address',
        html`<p>You left your e-mail address to be told of an answer.</p><form method="post"><button>Delete my address</button></form>`,
      ),
    );
    forms.post(FORGET_ROUTE, async (request, reply) => {
      const { addressKey } = request.params as { addressKey: string };
      await forgetAddress(deps, (await siteOf(request)).siteId, addressKey);
      const text = html`<p>This site no longer has your e-mail address, and sends you nothing.</p>`;
      return sendPage(reply, 'Your address is deleted', text);
    });
  });
}

function sendPage(reply: FastifyReply, heading: string, content: ReturnType<typeof html>) {
  return reply
    .headers({
      'content-security-policy': PLAIN_PAGE_POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(plainPage({ title: heading, heading, content }));
}
