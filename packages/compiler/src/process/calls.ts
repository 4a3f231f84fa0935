import type { ChildProcess } from 'node:child_process';
import { parentPort, type Worker } from 'node:worker_threads';
import { DocentError } from '@docent/format/errors.ts';
import { errorCode } from '@docent/format/outages.ts';
import { type BirpcReturn, createBirpc } from 'birpc';

/** The functions of the other side. Each returns a promise; `asEvent` does not wait for one. */
export type Calls<Remote extends object> = BirpcReturn<Remote, object>;

interface Channel {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  on(listener: (message: unknown) => void): void;
}

/** What passes over a channel: a call with its arguments, or a reply with its result or error. */
interface Message {
  a?: unknown[];
  r?: unknown;
  e?: unknown;
}

const transfers = new WeakMap<object, ArrayBuffer[]>();

/**
 * Marks an argument or a result, whose buffers are then passed to another thread without a copy and
 * are empty here.
 */
export function withTransfer<Value extends object>(value: Value, buffers: ArrayBuffer[]): Value {
  transfers.set(value, buffers);
  return value;
}

/** Connects a thread or a process that was started with its functions, which call `local` back. */
export function callWorker<Remote extends object>(
  worker: Worker | ChildProcess,
  local: object = {},
): Calls<Remote> {
  return connect<Remote>(local, {
    post(message, transfer) {
      if ('postMessage' in worker) worker.postMessage(message, transfer);
      // A process that is gone, or could not start, has an event that says so.
      else if (worker.connected) worker.send(message as object, () => {});
    },
    on: (listener) => worker.on('message', listener),
  });
}

/** Runs in a thread or a process: offers its functions to the one that started it. */
export function answerCalls<Remote extends object>(local: object): Calls<Remote> {
  const port = parentPort;
  return connect<Remote>(local, {
    post(message, transfer) {
      if (port) port.postMessage(message, transfer);
      else process.send?.(message, () => {});
    },
    on: (listener) => (port ?? process).on('message', listener),
  });
}

function connect<Remote extends object>(local: object, { post, on }: Channel): Calls<Remote> {
  return createBirpc<Remote, object>(local, {
    post: (message: Message) =>
      post(
        message,
        [...(message.a ?? []), message.r].flatMap((value) => transfers.get(value as object) ?? []),
      ),
    on,
    // The work itself is limited, not the wait for it.
    timeout: -1,
    bind: 'functions',
    serialize: ({ e: error, ...message }: Message): Message =>
      error === undefined ? message : { ...message, e: plainError(error) },
    deserialize: ({ e: error, ...message }: Message): Message =>
      error === undefined ? message : { ...message, e: errorOf(error as PlainError) },
  });
}

/** What is left of an error on the other side. */
interface PlainError {
  message: string;
  code: string;
  stack: string | undefined;
  docent: Pick<DocentError, 'code' | 'errors' | 'dependency'> | undefined;
}

function plainError(error: unknown): PlainError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const docent =
    error instanceof DocentError
      ? { code: error.code, errors: error.errors, dependency: error.dependency }
      : undefined;
  return { message, stack, code: errorCode(error), docent };
}

function errorOf({ message, stack, code, docent }: PlainError): Error {
  if (docent) return new DocentError(docent.code, message, docent);
  // The code says, for example, that the disk is full.
  return Object.assign(new Error(message), code !== '' && { code }, stack && { stack });
}
