/** The data of each server-sent event in a response (HTML Living Standard, 9.2.6), without events that have none. */
export async function* eventsOf({ body }: Response): AsyncGenerator<string> {
  let rest = '';
  for await (const text of (body as NonNullable<typeof body>).pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() as string;
    for (const block of blocks) {
      const lines = block.split('\n').filter((line) => line.startsWith('data:'));
      if (lines.length > 0) yield lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n');
    }
  }
}
