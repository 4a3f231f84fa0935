import { DocentError } from './core/errors.ts';

/** What the operating system has against listening on a port, as one clear line where people can fix it. */
export function listenFault(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new DocentError('port_in_use', `Port ${port} is in use; set DOCENT_PORT to a free one.`, { cause: error });
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

/** Connections that may wait to be accepted, where the system allows so many: thousands of readers may come at the same moment. */
export const LISTEN_BACKLOG = 4096;
