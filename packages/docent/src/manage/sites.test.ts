import { expect, test } from 'vitest';
import { type ApiClient, clientOf } from '../kernel/api-client.ts';
import { tryInstructions } from './sites.ts';

test('instructions are tried without being saved, and never with another change', async () => {
  const requests: unknown[][] = [];
  const trial = {
    ...{ asked: 12, answeredBefore: 9, answeredAfter: 10, gained: ['Who?'], lost: [] },
    unknownPages: [],
  };
  const api = clientOf((async (...request: unknown[]) => {
    requests.push(request);
    return trial;
  }) as ApiClient['request']);
  const path = '/v1/project/acme/assistant-settings';
  expect(await tryInstructions(api, path, { instructions: 'Be brief.' })).toEqual([
    '12 questions: answers 1 more, loses 0; 10 answered, 9 before\n+ Who?',
    trial,
  ]);
  expect(requests).toEqual([['POST', `${path}/try`, { instructions: 'Be brief.' }]]);
  const refused = ['', 'tokensPerDay'].map((name) =>
    tryInstructions(api, path, name === '' ? {} : { instructions: 'x', [name]: 5 }).catch(
      (error: Error) => error.message,
    ),
  );
  expect(await Promise.all(refused)).toEqual([
    '--try needs --instructions, and no other change.',
    '--try needs --instructions, and no other change.',
  ]);
});
