import { type DestinationStream, pino } from 'pino';
import manifest from '../../../../../package.json' with { type: 'json' };
import type { Logger } from '../../ports/logger.ts';

/** Names of fields that hold a secret, at any depth of a log entry. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  'threadKey',
  '["x-thread-key"]',
  'apiKey',
  'adminKey',
  'password',
  'secret',
  'token',
];
const DEPTH = 3;

function redactedPaths(): string[] {
  return SECRET_FIELDS.flatMap((field) =>
    Array.from({ length: DEPTH }, (_, depth) => {
      const parents = '*.'.repeat(depth);
      return field.startsWith('[') ? parents.replace(/\.$/, '') + field : parents + field;
    }),
  );
}

/**
 * Logs lines of JSON, each with the version of Docent. Masks fields whose name is that of a secret.
 * @param options.destination defaults to standard error: standard output is for results
 */
export function createPinoLogger(options: {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  destination?: DestinationStream;
}): Logger {
  const settings = {
    level: options.level,
    base: { version: manifest.version },
    redact: { paths: redactedPaths(), censor: '***' },
  };
  return pino(settings, options.destination ?? pino.destination({ fd: 2, sync: true }));
}
