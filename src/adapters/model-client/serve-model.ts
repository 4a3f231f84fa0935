import { parentPort } from 'node:worker_threads';
import { errorMessage } from '../../core/error-message.ts';
import type { ThreadReply, ThreadRequest } from './model-thread.ts';

/** Answers the requests of a `ModelThread`, one after another. @param answer returns the model's result for a request */
export function serveModel<Request, Result>(answer: (request: Request) => Promise<Result>): void {
  const port = parentPort;
  if (!port) throw new Error('serve-model.ts runs only as a worker thread.');
  let queue: Promise<void> = Promise.resolve();
  port.on('message', ({ id, request }: ThreadRequest<Request>) => {
    queue = queue.then(async () => {
      const reply = await answer(request).then(
        (result): ThreadReply<Result> => ({ id, result }),
        (error: unknown): ThreadReply<Result> => ({ id, fault: errorMessage(error) }),
      );
      port.postMessage(reply);
    });
  });
}
