import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ApiClient } from '../kernel/api-client.ts';
import { runDraft } from './draft.ts';

test('a draft is printed, or written into a new file, and never over another one', async () => {
  const requests: unknown[][] = [];
  const draft = { content: '# Keys\n', fileName: 'keys.mdx', authorQuestions: 2 };
  const api = {
    async request(...request: unknown[]) {
      requests.push(request);
      return draft;
    },
  } as unknown as ApiClient;
  const printed: string[] = [];
  const output = { result: (text: string) => printed.push(text) } as never;
  const folder = await mkdtemp(join(tmpdir(), 'docent-draft-'));
  try {
    const out = join(folder, 'keys.mdx');
    const questions = ['How?', 'Why?'];
    await runDraft(api, output, { site: 'acme', questions });
    await runDraft(api, output, { site: 'acme', questions, out });
    expect(requests[0]).toEqual([
      'POST',
      '/v1/analytics/acme/assistant/questions/draft',
      { questions },
    ]);
    expect(printed).toEqual(['# Keys\n', expect.stringContaining('2 questions to its author')]);
    expect(await readFile(out, 'utf8')).toBe('# Keys\n');
    await expect(runDraft(api, output, { site: 'acme', questions, out })).rejects.toThrow(/exists/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
