import { expect, it } from 'vitest';
import { type EventMessage, webhookBody } from './events.ts';

const message: EventMessage = {
  type: 'deployment.failed',
  timestamp: '2026-11-28T09:00:00.000Z',
  data: {
    title: '<!channel> [free](https://evil.example) & more',
    url: 'https://a.example/x|y',
    projectId: 'p',
    site: 'acme',
  },
};

it('a message for a channel of Slack mentions nobody and links only to the dashboard', () => {
  const { text } = JSON.parse(webhookBody('slack', message));
  expect(text).toBe(
    'acme could not be deployed (&lt;!channel&gt; [free](https://evil.example) &amp; more) <https://a.example/x%7Cy|Open>',
  );
});

it('a message for a channel of Teams is a card, whose text has no links of its own', () => {
  const { attachments } = JSON.parse(webhookBody('teams', message));
  expect(attachments[0].content.body[0].text).toBe(
    'acme could not be deployed ( !channel free (https://evil.example) & more)',
  );
  expect(attachments[0].content.actions[0].url).toBe('https://a.example/x|y');
});

it('the event itself is sent as it is', () => {
  expect(JSON.parse(webhookBody('standard', message))).toEqual(message);
});
