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
    .run((api, output, site: string, questions: string[], options: { out?: string }) =>
      runDraft(api, output, { site, questions, ...options }),
    );
}

/** @throws DocentError `invalid_setting` if the file exists or cannot be written */
export async function runDraft(
  api: ApiClient,
  output: Output,
  { site, questions, out }: { site: string; questions: string[]; out?: string },
): Promise<void> {
  const path = apiPath`/v1/analytics/${site}/assistant/questions/draft`;
  const draft = await api.request<Schema<'PageDraft'>>('POST', path, { questions });
  if (out === undefined) return output.result(draft.content, draft);
  await writeFile(out, draft.content, { flag: 'wx' }).catch((cause) => {
    throw new DocentError('invalid_setting', `--out: ${out} exists, or cannot be written.`, {
      cause,
    });
  });
  output.result(
    `Wrote ${out}. It has ${draft.authorQuestions} questions to its author, and is hidden until you remove \`hidden\`.`,
    draft,
  );
}
