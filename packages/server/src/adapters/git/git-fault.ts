import { oneLine } from '@docent/format/deployments/commit.ts';
import { DocentError, type ErrorCode } from '@docent/format/errors.ts';
import type { GitRemote } from '../../ports/git/git-repositories.ts';
import { GitFailure } from './run-git.ts';

interface KnownFault {
  /** In what Git writes. */
  text: RegExp;
  code: ErrorCode;
  /** `{url}` and `{ref}` are replaced. */
  message: string;
  /** The server refused, so nothing was written. */
  isClean?: true;
}

/** The first that matches counts. */
const FAULTS: readonly KnownFault[] = [
  {
    text: /couldn't find remote ref/i,
    code: 'git_refused',
    message: 'The repository has no {ref}; correct the branch of the source.',
    isClean: true,
  },
  {
    text: /host key verification failed|remote host identification has changed/i,
    code: 'git_refused',
    message:
      'The host shows another key than before. If that is right, confirm the new key of the host; otherwise somebody is in between.',
    isClean: true,
  },
  {
    text: /authentication failed|could not read (?:username|password)|error: 40[13]\b|permission denied|access denied|terminal prompts disabled/i,
    code: 'git_refused',
    message:
      'The server refused the credentials for {url}; check the token, or add the deploy key to the repository.',
    isClean: true,
  },
  {
    text: /redirect|error: 3\d\d/i,
    code: 'git_refused',
    message:
      'The server redirects {url} elsewhere, which is not followed; set the address that it redirects to.',
    isClean: true,
  },
  {
    text: /error: 404|not found|does not exist|not appear to be a git repository|no such repository/i,
    code: 'git_refused',
    message:
      'There is no repository at {url}, or the credentials may not read it; check the address and the credentials.',
    isClean: true,
  },
  {
    text: /file too large|signal 25|file size limit|out of memory|invalid index-pack output|cannot allocate/i,
    code: 'git_refused',
    message:
      'The repository at {url} is too large for this server; use a smaller one, or ask the operator to raise DOCENT_GIT_MAX_MB.',
  },
  {
    text: /could not resolve|failed to connect|couldn't connect|connection (?:refused|reset|timed out|closed)|timed? ?out|too slow|early eof|hung up|unexpected disconnect|error: 5\d\d|certificate|ssl|tls/i,
    code: 'git_unavailable',
    message: 'The server of {url} could not be reached: {reason}.',
    isClean: true,
  },
];

/**
 * Returns what an error of Git means for people.
 * @returns also whether the copy of the repository is as it was before
 */
export function gitFault(
  error: unknown,
  { url }: GitRemote,
  ref: string,
): { fault: unknown; isClean: boolean } {
  if (!(error instanceof GitFailure)) return { fault: error, isClean: false };
  const match = FAULTS.find(({ text }) => text.test(error.output));
  const lines = error.output.split(/[\r\n]+/).filter((line) => /^(?:fatal|error):/.test(line));
  const reason = oneLine(lines.at(-1)?.replace(/^\w+: /, '') ?? 'Git failed', 200).replace(
    /\.$/,
    '',
  );
  const message = match?.message ?? 'Git could not read {url}: {reason}.';
  const name = ref.replace(/^refs\/heads\//, 'branch ');
  const text = message
    .replace('{url}', () => url)
    .replace('{ref}', () => name)
    .replace('{reason}', () => reason);
  return {
    fault: new DocentError(match?.code ?? 'git_unavailable', text, { cause: error }),
    isClean: match?.isClean === true,
  };
}
