import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const KEYS = { ec: ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'], rsa: ['rsa:2048'] };

/** Writes a certificate for `localhost` that nobody has signed, with its key, into a folder. */
export function selfSigned(
  folder: string,
  kind: keyof typeof KEYS = 'ec',
): { key: string; cert: string } {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const form = ['-x509', '-newkey', ...KEYS[kind], '-nodes'];
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const subject = ['-days', '30', '-subj', '/CN=localhost', '-addext', names];
  execFileSync('openssl', ['req', ...form, ...subject, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  return { key, cert };
}
