import type { Logger } from '../../src/ports/logger.ts';

/** A logger that discards every line. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
};
