import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

const QUESTION = 'How do I install it?';
const RESTARTING = 'The server is being restarted; ask again in a moment.';

let model: FakeOpenAi;
let docent: RunningDocent;

beforeAll(async () => {
  // It begins an answer and does not end it.
  model = await startFakeOpenAi([[{ text: 'It begins' }, { pauseMs: 3_600_000 }]]);
  const env = {
    DOCENT_MODEL: 'openai-compatible:local',
    DOCENT_MODEL_URL: model.url,
    DOCENT_MODEL_API_KEY: 'key',
  };
  docent = await startDocent({ env });
});
afterAll(async () => {
  docent?.child.kill('SIGKILL');
  await model?.close();
  await removeTemporaryFolders();
});

/** An answer, and how it began. */
async function ask(version: string) {
  const message = {
    id: 'm',
    role: 'user',
    content: QUESTION,
    parts: [{ type: 'text', text: QUESTION }],
  };
  const response = await fetch(`${docent.apiUrl}/${version}/assistant/${docent.domain}/message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${docent.assistantKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ fp: 'reader', messages: [message] }),
  });
  expect(response.status).toBe(200);
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const read = async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes('It begins')) resolve();
    }
    return text;
  };
  return { begun, text: read() };
}

test('answers that are being written when the process is asked to end get time, then an error part and an end, on v1 and v2', async () => {
  const answers = await Promise.all(['v1', 'v2'].map(ask));
  await Promise.all(answers.map(({ begun }) => begun));
  const exitCode = docent.stop();
  // A reset would reject.
  const [first, second] = await Promise.all(answers.map(({ text }) => text));
  expect(first).toContain(`3:${JSON.stringify(RESTARTING)}\n`);
  expect(second).toContain(`{"type":"error","errorText":${JSON.stringify(RESTARTING)}}`);
  expect(second).toContain('[DONE]');
  expect(await exitCode).toBe(0);
});
