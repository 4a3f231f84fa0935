import type { Readable } from 'node:stream';

/**
 * The text of a stream, piece by piece, at most one piece every `everyMs()` milliseconds. Nothing is taken from the stream in
 * between, so what comes meanwhile is one piece: it costs one read, however many writes it was. The first piece, and one
 * after a silence, come at once. Giving up the loop destroys the stream.
 * @throws where the stream breaks off
 */
export async function* readPieces(stream: Readable, everyMs: () => number): AsyncGenerator<string> {
  stream.setEncoding('utf8');
  let hasEnded = false;
  let fault: Error | undefined;
  let wake = () => {};
  stream.on('readable', () => wake());
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
  const woken = (resolve: () => void) => {
    wake = resolve;
  };
  const paused = (resolve: () => void) => {
    setTimeout(resolve, everyMs());
  };
  try {
    while (true) {
      const piece = stream.read() as string | null;
      if (piece !== null) {
        yield piece;
        await new Promise<void>(paused);
      } else if (hasEnded) return;
      else if (fault) throw fault;
      else await new Promise<void>(woken);
    }
  } finally {
    // A stream that was read to its end gives its connection back.
    if (!hasEnded) stream.destroy();
  }
}
