import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** Starts a mail server on this machine that records the mails that it accepts. */
export async function startSmtpServer() {
  const mails: { to: string[]; text: string }[] = [];
  let refusals = 0;
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) => {
      if (username === 'docent' && password === 'p@ss word') done(null, { user: username });
      else done(new Error('Wrong user or password.'));
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refusals > 0) {
          refusals -= 1;
          done(Object.assign(new Error('Busy, come again.'), { responseCode: 451 }));
          return;
        }
        mails.push({
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    mails,
    /** Temporarily rejects the next mails. */
    refuse: (count: number) => {
      refusals = count;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Returns the links in a mail, whose long lines are folded (RFC 2045, quoted-printable). */
export function linksIn(mail: string): string[] {
  const unfolded = mail.replace(/=\r\n/g, '');
  const text = unfolded.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return text.match(/https?:\/\/\S+/g) ?? [];
}
