import { useMutation, useQuery } from '@tanstack/react-query';
import { api, downloadText, messageOf } from '../../api/client.ts';
import { assistantSettingsQuery, useOrganization } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Details } from '../../ui/details.tsx';
import { plural } from '../../ui/format.ts';
import { Loaded, Notice, Skeleton } from '../../ui/page.tsx';
import { DraftBranch } from './draft-branch.tsx';

interface DraftProps {
  projectId: string;
  questions: string[];
}

/** Lets the language model of the site draft the page that questions lack. */
export function DraftPage(props: DraftProps) {
  const { may } = useOrganization();
  return may('editor') ? (
    <Details summary="Draft a page that answers it">
      <DraftForm {...props} />
    </Details>
  ) : null;
}

function DraftForm({ projectId, questions }: DraftProps) {
  const settings = useQuery(assistantSettingsQuery(projectId));
  const draft = useMutation({
    mutationFn: () =>
      api.post('/v1/analytics/{projectId}/assistant/questions/draft', {
        path: { projectId },
        body: { questions },
      }),
  });
  return (
    <>
      <p className="text-muted">
        The language model of the site writes a first text from the pages that come closest. What no
        page says becomes a question to you. Nothing is published; the tokens count.
      </p>
      <Loaded query={settings} placeholder={<Skeleton lines={1} />}>
        {({ usesLanguageModel }) =>
          usesLanguageModel ? (
            <Button className="self-start" isBusy={draft.isPending} onClick={() => draft.mutate()}>
              Write a draft
            </Button>
          ) : (
            <Notice>This site has no language model, which a draft needs.</Notice>
          )
        }
      </Loaded>
      {draft.error && <Notice tone="danger">{messageOf(draft.error)}</Notice>}
      {draft.data && (
        <>
          <p>
            {draft.data.title}: {plural(draft.data.authorQuestions, 'question')} to the author
          </p>
          <CodeBlock code={draft.data.content} label="Copy the draft" />
          <Button
            className="self-start"
            icon="download"
            onClick={() => downloadText(draft.data.content, draft.data.fileName)}
          >
            Download {draft.data.fileName}
          </Button>
          <DraftBranch key={draft.data.content} projectId={projectId} draft={draft.data} />
        </>
      )}
    </>
  );
}
