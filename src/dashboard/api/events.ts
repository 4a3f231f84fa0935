/** The data of each server-sent event in a response (HTML Living Standard, 9.2.6), without events that have none. */
export async function* eventsOf({ body }: Response): AsyncGenerator<string> {
  let rest = '';
  // Not every browser iterates over a stream.
  const reader = (body as NonNullable<typeof body>).pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const blocks = (rest + read.value).split('\n\n');
    rest = blocks.pop() as string;
    for (const block of blocks) {
      const lines = block.split('\n').filter((line) => line.startsWith('data:'));
      if (lines.length > 0) yield lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n');
    }
  }
}
