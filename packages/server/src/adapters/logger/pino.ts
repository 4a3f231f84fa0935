import { type DestinationStream, pino } from 'pino';
import manifest from '../../../../../package.json' with { type: 'json' };
import type { Logger } from '../../ports/logger.ts';
import { shortLine } from './short-line.ts';

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
 * Logs lines of JSON, each with the version of Docent; short lines for people on a terminal. Masks
 * fields whose name is that of a secret.
 * @param options.destination defaults to standard error: standard output is for results
 * @param options.isTerminal whether people read the destination; by default, whether standard error
 *   is a terminal
 */
export function createPinoLogger(options: {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  destination?: DestinationStream;
  isTerminal?: boolean;
}): Logger {
  const settings = {
    level: options.level,
    base: { version: manifest.version },
    redact: { paths: redactedPaths(), censor: '***' },
  };
  const destination = options.destination ?? pino.destination({ fd: 2, sync: true });
  const isTerminal =
    options.isTerminal ?? (options.destination === undefined && process.stderr.isTTY === true);
  return pino(
    settings,
    isTerminal ? { write: (line) => destination.write(shortLine(line)) } : destination,
  );
}
