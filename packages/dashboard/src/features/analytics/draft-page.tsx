import { useMutation } from '@tanstack/react-query';
import { api, bodyOf, downloadText, messageOf } from '../../api/client.ts';
import { useOrganization } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { count } from '../../ui/format.ts';
import { Notice } from '../../ui/page.tsx';

/** Lets the language model of the site draft the page that questions lack, as a file. */
export function DraftPage({ projectId, questions }: { projectId: string; questions: string[] }) {
  const { may } = useOrganization();
  const draft = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/v1/analytics/{projectId}/assistant/questions/draft', {
          params: { path: { projectId } },
          body: { questions },
        }),
      ),
  });
  if (!may('editor')) return null;
  return (
    <details className="text-s">
      <summary className="w-fit cursor-pointer text-xs text-muted hover:text-text">
        Draft a page that answers it
      </summary>
      <div className="mt-2 flex flex-col gap-3 rounded-md border border-line p-3">
        <p className="text-muted">
          The language model of the site writes a first text from the pages that come closest. What
          no page says becomes a question to you. Nothing is published; the tokens count.
        </p>
        <Button className="self-start" isBusy={draft.isPending} onClick={() => draft.mutate()}>
          Write a draft
        </Button>
        {draft.error && <Notice tone="danger">{messageOf(draft.error)}</Notice>}
        {draft.data && (
          <>
            <p>
              {draft.data.title}: {count(draft.data.authorQuestions)} questions to the author
            </p>
            <CodeBlock code={draft.data.content} label="Copy the draft" />
            <Button
              className="self-start"
              icon="download"
              onClick={() => downloadText(draft.data.content, draft.data.fileName)}
            >
              Download {draft.data.fileName}
            </Button>
          </>
        )}
      </div>
    </details>
  );
}
