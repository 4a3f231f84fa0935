import { writeFile } from 'node:fs/promises';
import { DocentError } from '@docent/format/errors.ts';
import type { ApiClient, Schema } from '../kernel/api-client.ts';
import { apiPath, type Commands } from '../kernel/commands.ts';
import type { Output } from '../kernel/output.ts';

/** `docent draft <site> <questions...>`: drafts a page that answers questions of readers. */
export function addDraftCommand({ program, add }: Commands): void {
  add(
    program,
    'draft <site> <questions...>',
    'Draft a page for questions that the documentation does not answer, with the language model of the site',
  )
    .option('--out <file>', 'write the draft into a new file')
    .option(
      '--branch <path>',
      'add the draft to the repository of the site on a new branch, at this path from the folder of the documentation',
    )
    .option('--pull-request', 'open a pull request for the branch')
    .run((api, output, site: string, questions: string[], options: DraftTargets) =>
      runDraft(api, output, { site, questions, ...options }),
    );
}

interface DraftTargets {
  out?: string;
  branch?: string;
  pullRequest?: true;
}

/**
 * @throws DocentError `invalid_setting` if options do not fit, or the file exists or cannot be
 *   written
 */
export async function runDraft(
  api: ApiClient,
  output: Output,
  {
    site,
    questions,
    out,
    branch,
    pullRequest,
  }: { site: string; questions: string[] } & DraftTargets,
): Promise<void> {
  if (pullRequest && branch === undefined)
    throw new DocentError(
      'invalid_setting',
      '--pull-request needs --branch, the path of the file.',
    );
  const path = apiPath`/v1/analytics/${site}/assistant/questions/draft`;
  const draft = await api.post<Schema<'PageDraft'>>(path, { questions });
  if (out !== undefined) await writeDraft(out, draft);
  const proposal = branch === undefined ? undefined : await propose(branch);
  if (out === undefined && !proposal) return output.result(draft.content, draft);
  const places = [
    ...(out === undefined ? [] : [`Wrote ${out}.`]),
    ...(proposal ? [placeOf(proposal)] : []),
  ];
  output.result(
    `${places.join('\n')}\nIt has ${draft.authorQuestions} questions to its author, and is hidden until you remove \`hidden\`.`,
    { ...draft, ...proposal },
  );

  function propose(to: string): Promise<Schema<'DraftBranch'>> {
    const body = { path: to, content: draft.content, pullRequest: pullRequest === true };
    return api.post(apiPath`/v1/projects/${site}/drafts`, body);
  }
}

function placeOf({ branch, file, pullRequest, pullRequestError }: Schema<'DraftBranch'>): string {
  const added = `Added ${file} on the branch ${branch}.`;
  if (pullRequest)
    return `${added}\nOpened the pull request ${pullRequest.url ?? `#${pullRequest.number}`}.`;
  return pullRequestError === null
    ? added
    : `${added}\nNo pull request could be opened: ${pullRequestError}`;
}

async function writeDraft(out: string, draft: Schema<'PageDraft'>): Promise<void> {
  await writeFile(out, draft.content, { flag: 'wx' }).catch((cause) => {
    throw new DocentError('invalid_setting', `--out: ${out} exists, or cannot be written.`, {
      cause,
    });
  });
}
