import type { Logger } from '../../src/ports/logger.ts';

/** Takes every line and keeps none. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
};
