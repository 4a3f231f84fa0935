import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, clientOf } from '../kernel/api-client.ts';
import { runSearchRules } from './search-rules.ts';

const rules = {
  synonyms: [
    ['workspace', 'team'],
    ['single sign-on', 'SSO: "one"'],
  ],
  pageRules: [{ question: "what's a key?", pin: ['guides/keys'], block: ['old/keys', 'b: c'] }],
};
let folder: string;
let requests: [method: string, path: string, body: unknown][];
let printed: string;
/** What the platform answers. */
let answer: object = rules;

const api = clientOf((async (method: string, path: string, body: unknown) => {
  requests.push([method, path, body]);
  return answer;
}) as ApiClient['request']);
const run = async (file?: string, isTry = false) => {
  requests = [];
  const output = {
    result(text: string) {
      printed = text;
    },
  };
  await runSearchRules(api, output as never, { site: 'acme', file, isTry });
  return printed;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-rules-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the rules of a site are printed as a file that the command reads, and an absent list is empty', async () => {
  answer = rules;
  const text = await run();
  const file = join(folder, 'rules.yaml');
  await writeFile(file, text);
  await run(file);
  expect(requests).toEqual([['PATCH', '/v1/project/acme/assistant-settings', rules]]);
  await writeFile(file, 'synonyms: []');
  answer = { synonyms: [], pageRules: [] };
  expect(await run(file)).toBe('synonyms: []\npageRules: []');
  expect(requests[0]?.[2]).toEqual({ synonyms: [], pageRules: [] });
});

test('rules are tried without being saved, and what they gain and lose is named', async () => {
  const file = join(folder, 'tried.yaml');
  await writeFile(file, JSON.stringify(rules));
  answer = {
    ...{ asked: 3, answeredBefore: 1, answeredAfter: 2, gained: ['Who?', 'Where?'] },
    ...{ lost: ['When?'], unknownPages: ['old/keys'] },
  };
  expect(await run(file, true)).toBe(
    '3 questions: answers 2 more, loses 1; 2 answered, 1 before\n- When?\n+ Who?\n+ Where?\nThere is no page old/keys.',
  );
  expect(requests).toEqual([['POST', '/v1/project/acme/assistant-settings/try', rules]]);
});

test('a file that is not rules is refused with its name', async () => {
  const file = join(folder, 'bad.yaml');
  for (const text of ['- a list', 'synonyms: [']) {
    await writeFile(file, text);
    await expect(run(file)).rejects.toThrow('bad.yaml');
  }
  await expect(run(join(folder, 'absent.yaml'))).rejects.toThrow('absent.yaml');
});
