import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSmtpServer } from '../../../../../test/support/smtp-server.ts';
import { createSmtpMailer } from './smtp.ts';

let server: Awaited<ReturnType<typeof startSmtpServer>>;
beforeAll(async () => {
  server = await startSmtpServer();
});
afterAll(() => server.stop());

const from = 'Acme Docs <docs@acme.example>';
const mail = { to: 'ada@example.com', subject: 'Set a new password', text: 'Grüße' };

test('the mailer sends plain text from the configured sender, and signs in with the credentials of its URL', async () => {
  const mailer = createSmtpMailer({
    urlWithPassword: `smtp://docent:p%40ss%20word@${server.host}`,
    from,
  });
  await mailer.send(mail);
  const [{ to, text }] = server.mails.slice(-1) as [{ to: string[]; text: string }];
  expect(to).toEqual(['ada@example.com']);
  expect(text).toMatch(/^From: Acme Docs <docs@acme\.example>\r$/m);
  expect(text).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
  await mailer.close();
});

test('a subject or an address cannot add a header or a recipient', async () => {
  const mailer = createSmtpMailer({ urlWithPassword: `smtp://${server.host}`, from });
  await mailer.send({ ...mail, subject: 'Join Acme\r\nBcc: eve@evil.example' });
  const [{ to, text }] = server.mails.slice(-1) as [{ to: string[]; text: string }];
  expect(to).toEqual(['ada@example.com']);
  expect(text).not.toMatch(/^Bcc:/im);
  const count = server.mails.length;
  await mailer.send({ ...mail, to: 'ada@example.com, eve@evil.example' }).catch(() => undefined);
  expect(server.mails.slice(count).flatMap((one) => one.to)).not.toContain('eve@evil.example');
  await mailer.close();
});

test('the mailer rejects if the server refuses temporarily, rejects the password, or is unreachable', async () => {
  const mailer = createSmtpMailer({ urlWithPassword: `smtp://${server.host}`, from });
  server.refuse(1);
  await expect(mailer.send(mail)).rejects.toThrow(/451/);
  await mailer.send(mail);
  await mailer.close();
  for (const urlWithPassword of [`smtp://docent:wrong@${server.host}`, 'smtp://127.0.0.1:9'])
    await expect(
      createSmtpMailer({ urlWithPassword, from }).send(mail),
      urlWithPassword,
    ).rejects.toThrow();
});
