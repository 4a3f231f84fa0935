import { RequestThread } from '@docent/compiler/off-thread/request-thread.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';

/**
 * Starts a model in a thread of its own, at once because loading takes seconds. Its errors are
 * those of a provider.
 * @param what for messages: `The embedding model`
 * @param module calls `answerRequests`
 */
export function startModelThread<Request, Result>(
  what: string,
  module: URL,
  workerData?: unknown,
): RequestThread<Request, Result> {
  const thread = new RequestThread<Request, Result>({
    module,
    workerData,
    fault: (kind, reason) =>
      kind === 'lost'
        ? new ProviderFault('busy', `${what} stopped: ${reason}`)
        : new ProviderFault(
            'refused',
            `${what} could not read a text${reason ? `: ${reason}` : '.'}`,
          ),
  });
  thread.start();
  return thread;
}
