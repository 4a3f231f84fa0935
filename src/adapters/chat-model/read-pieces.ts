import type { Readable } from 'node:stream';

/** More than this waits in the network, not in memory. */
const MOST_WAITING = 64 * 1024;

/**
 * The text of a stream, piece by piece. What comes while its reader is busy is joined into one piece, so that a reader who
 * is behind has fewer of them, not more. Giving up the loop destroys the stream.
 * @throws where the stream breaks off
 */
export async function* readPieces(stream: Readable): AsyncGenerator<string> {
  stream.setEncoding('utf8');
  let waiting = '';
  let hasEnded = false;
  let fault: Error | undefined;
  let wake = () => {};
  stream.on('data', (text: string) => {
    waiting += text;
    if (waiting.length > MOST_WAITING) stream.pause();
    wake();
  });
  stream.once('end', () => {
    hasEnded = true;
    wake();
  });
  stream.once('error', (error) => {
    fault = error;
    wake();
  });
  stream.once('close', () => {
    if (!hasEnded) fault ??= new Error('The connection was closed before the end.');
    wake();
  });
  try {
    while (true) {
      if (waiting !== '') {
        const piece = waiting;
        waiting = '';
        if (stream.isPaused()) stream.resume();
        yield piece;
      } else if (hasEnded) return;
      else if (fault) throw fault;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    // A stream that was read to its end gives its connection back.
    if (!hasEnded) stream.destroy();
  }
}
