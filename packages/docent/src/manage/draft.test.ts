import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ApiClient, clientOf } from '../kernel/api-client.ts';
import { runDraft } from './draft.ts';

test('a draft is printed, or written into a new file, and never over another one', async () => {
  const requests: unknown[][] = [];
  const draft = { content: '# Keys\n', fileName: 'keys.mdx', authorQuestions: 2 };
  const api = clientOf((async (...request: unknown[]) => {
    requests.push(request);
    return draft;
  }) as ApiClient['request']);
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

test('a draft is added to the repository, with a pull request, where both are requested', async () => {
  const requests: unknown[][] = [];
  const draft = { content: '# Keys\n', fileName: 'keys.mdx', authorQuestions: 2 };
  const proposal = {
    branch: 'docent/draft-keys-a1',
    file: 'docs/keys.mdx',
    pullRequest: { number: 3, url: 'https://github.com/a/b/pull/3' },
    pullRequestError: null as string | null,
  };
  const api = clientOf((async (...request: unknown[]) => {
    requests.push(request);
    return String(request[1]).endsWith('/drafts') ? proposal : draft;
  }) as ApiClient['request']);
  const printed: string[] = [];
  const output = { result: (text: string) => printed.push(text) } as never;
  const input = { site: 'acme', questions: ['How?'] };
  await expect(runDraft(api, output, { ...input, pullRequest: true })).rejects.toThrow('--branch');
  await runDraft(api, output, { ...input, branch: 'keys.mdx', pullRequest: true });
  expect(requests.at(-1)).toEqual([
    'POST',
    '/v1/projects/acme/drafts',
    { path: 'keys.mdx', content: '# Keys\n', pullRequest: true },
  ]);
  expect(printed[0]).toContain('docs/keys.mdx on the branch docent/draft-keys-a1');
  expect(printed[0]).toContain('https://github.com/a/b/pull/3');
  const error = 'The token may not.';
  Object.assign(proposal, { pullRequest: null, pullRequestError: error });
  await runDraft(api, output, { ...input, branch: 'keys.mdx', pullRequest: true });
  expect(printed[1]).toContain(`No pull request could be opened: ${error}`);
});
