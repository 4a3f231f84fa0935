import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ApiClient, clientOf } from '../kernel/api-client.ts';
import { runExperiment } from './experiment.ts';

test('an experiment starts with the settings of a file, is shown side by side, and is ended or adopted', async () => {
  const outcomes = { answers: 3, costUsd: null };
  const answer = {
    experiment: {
      share: 20,
      startedAt: '2026-11-21T10:00:00Z',
      current: outcomes,
      other: outcomes,
    },
  };
  const requests: unknown[][] = [];
  const api = clientOf((async (...request: unknown[]) => {
    requests.push(request.filter((part) => part !== undefined));
    return answer;
  }) as ApiClient['request']);
  const printed: string[] = [];
  const output = { result: (text: string) => printed.push(text) } as never;
  const folder = await mkdtemp(join(tmpdir(), 'docent-experiment-'));
  try {
    const file = join(folder, 'other.yaml');
    await writeFile(file, 'instructions: Be brief.\n');
    await runExperiment(api, output, { site: 'acme', file, share: '20' });
    await runExperiment(api, output, { site: 'acme' });
    await runExperiment(api, output, { site: 'acme', end: true, adopt: true });
    const path = '/v1/project/acme/assistant-experiment';
    expect(requests).toEqual([
      ['POST', path, { instructions: 'Be brief.', share: 20 }],
      ['GET', path],
      ['DELETE', `${path}?adopt=true`],
    ]);
    expect(printed[1]).toMatch(/OTHER \(20 %\)[\s\S]*Answers +3 +3/);
    await writeFile(file, '- list\n');
    await expect(runExperiment(api, output, { site: 'acme', file })).rejects.toThrow(/must have/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
