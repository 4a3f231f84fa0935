import { expect, test } from 'vitest';
import { oneLine, readCommit } from './commit.ts';
import { deploymentTitle } from './deployment-title.ts';

const SHA = '1F3C9AB2d4e6f8071b2c3d4e5f60718293a4b5c6';

test('a hostile description of a commit becomes short single lines without control characters', () => {
  const commit = readCommit({
    sha: '"><script>',
    ref: `main\u202egnp\u001b[31m${'x'.repeat(5000)}`,
    message: `\u0000Fix\u0007 links\u2028next\nsecond line${'y'.repeat(100_000)}`,
    author: 'Ada\r\nSet-Cookie: a=b',
    committedAt: 'yesterday',
    repository: '/home/ada/docs',
    added: ['a\u0000b.mdx', '', ...Array.from({ length: 5000 }, () => 'c.mdx')],
  });
  expect(commit).toMatchObject({
    sha: '',
    message: 'Fix links next',
    author: 'Ada',
    committedAt: null,
    repository: null,
  });
  expect(commit?.ref).toMatch(/^main gnp \[31mx+…$/);
  expect(commit?.ref.length).toBeLessThanOrEqual(250);
  expect(commit?.filesChanged.added).toHaveLength(299);
  expect(commit?.filesChanged.added[0]).toBe('a b.mdx');
});

test('a text is cut between characters, and the first line that is not empty counts', () => {
  expect(oneLine('\n\n  Title  \nbody', 20)).toBe('Title');
  expect(oneLine('😀'.repeat(20), 5)).toBe(`${'😀'.repeat(4)}…`);
});

test('a description that says nothing is no commit', () => {
  expect(readCommit({})).toBeNull();
  expect(readCommit({ sha: '', ref: ' ', message: '\n', author: '', added: ['a.mdx'] })).toBeNull();
});

test('credentials in the address of a repository are not stored', () => {
  expect(
    readCommit({ sha: SHA, repository: 'https://bot:secret@github.com/acme/docs.git' }),
  ).toMatchObject({
    sha: SHA.toLowerCase(),
    repository: 'https://github.com/acme/docs',
  });
});

test('a deployment is called by its message, else by its branch and commit, else by who published it', () => {
  const base = { commit: null, actor: null, source: null, summary: '7 pages' };
  const actor = { kind: 'person', name: 'Ada' } as const;
  const commit = { sha: SHA, ref: 'main', message: '' };
  expect(deploymentTitle({ ...base, commit: { ...commit, message: 'Fix links' } })).toBe(
    'Fix links',
  );
  expect(deploymentTitle({ ...base, commit })).toBe('main@1F3C9AB');
  expect(deploymentTitle({ ...base, actor, source: 'upload' })).toBe('Uploaded by Ada');
  expect(deploymentTitle({ ...base, actor: { kind: 'key', name: 'CI' }, source: 'cli' })).toBe(
    'Published by CI',
  );
  expect(deploymentTitle({ ...base, actor: { kind: 'operator', name: null }, source: 'cli' })).toBe(
    'Published by the operator',
  );
  expect(deploymentTitle(base)).toBe('7 pages');
});
