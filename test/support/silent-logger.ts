import type { Logger } from '../../packages/server/src/ports/logger.ts';

/** A logger that discards every line. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
};
