import { isLoopbackName } from '@docent/format/access/host-name.ts';
import { createTransport } from 'nodemailer';
import type { Mailer } from '../../ports/mailer.ts';

const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;

/** Sends mail over SMTP. A password is sent to another machine only over TLS. */
export function createSmtpMailer({
  urlWithPassword,
  from,
}: {
  urlWithPassword: string;
  from: string;
}): Mailer {
  const { protocol, hostname, port, username, password } = new URL(urlWithPassword);
  const isSecure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && username !== '' && !isLoopbackName(hostname),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      await transport.sendMail({ ...mail, to: { name: '', address: mail.to }, from });
    },
    close: async () => transport.close(),
  };
}
