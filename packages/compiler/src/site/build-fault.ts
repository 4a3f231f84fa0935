import type { Diagnostic } from '@docent/format/diagnostics.ts';
import type { DocentError } from '@docent/format/errors.ts';

/**
 * Returns the diagnostic for an error that prevents the build of a whole site. @param remedy what
 * the author does next
 */
export function buildFault(error: DocentError, remedy: string): Diagnostic {
  const faults = (error.errors ?? [])
    .map((fieldError) => fieldError.message)
    .filter((message) => !error.message.includes(message));
  const message = [error.message, ...faults].join(' ');
  return {
    severity: 'error',
    code: error.code.replaceAll('_', '-'),
    message,
    remedy,
    file: '',
    ...error.place,
  };
}
