import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';

/*
 * The stock helper of the AI SDK, `streamText`, on a bare server, as developers write it who serve
 * a chat themselves. It has no keys, limits, retrieval or storage. Takes the address of the model.
 */
const [modelUrl = ''] = process.argv.slice(2);
const provider = createOpenAICompatible({ name: 'bench', baseURL: modelUrl, includeUsage: true });

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const model = request.headers['x-bench-model'] === 'short' ? 'short' : 'endless';
  const left = new AbortController();
  response.once('close', () => left.abort());
  const prompt = String((JSON.parse(body) as { fp: string }).fp);
  streamText({
    model: provider.chatModel(model),
    prompt,
    abortSignal: left.signal,
    onError: () => {},
  }).pipeUIMessageStreamToResponse(response);
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
await once(server, 'listening');
process.on('disconnect', () => process.exit());
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
