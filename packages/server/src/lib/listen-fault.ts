import { DocentError } from '@docent/format/errors.ts';

/** Converts an error of listening on a port to one clear line if people can fix it. */
export function listenFault(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new DocentError(
      'port_in_use',
      `Port ${port} is in use; set DOCENT_PORT to a free one.`,
      { cause: error },
    );
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new DocentError(
      'invalid_setting',
      `Docent may not listen on port ${port} (${code}); correct DOCENT_PORT or DOCENT_HOST.`,
      { cause: error },
    );
  }
  return error;
}

/**
 * Maximum connections waiting to be accepted, if the system allows as many: thousands of readers
 * may arrive at once.
 */
export const LISTEN_BACKLOG = 4096;
