import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useOrganization, useSite } from '../../api/queries.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { count } from '../../ui/format.ts';
import { Loaded, Skeleton } from '../../ui/page.tsx';

/** Shows what the language model of the site gets for a question. */
export function AnswerPrompt({ threadId, messageId }: { threadId: string; messageId: string }) {
  const { projectId } = useSite();
  const { may } = useOrganization();
  const [isOpen, setOpen] = useState(false);
  const prompt = useQuery({
    queryKey: ['answer-prompt', projectId, threadId, messageId],
    enabled: isOpen,
    retry: false,
    queryFn: () =>
      bodyOf(
        api.POST('/v1/analytics/{projectId}/assistant/threads/{threadId}/prompt', {
          params: { path: { projectId, threadId } },
          body: { messageId },
        }),
      ),
  });
  if (!may('editor')) return null;
  return (
    <details className="text-s" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer text-xs text-muted hover:text-text">
        What the model gets for it
      </summary>
      <div className="mt-2 flex flex-col gap-3 rounded-md border border-line p-3">
        <Loaded query={prompt} placeholder={<Skeleton lines={3} />}>
          {({ model, instructions, history, question, estimatedTokens }) => (
            <>
              <p className="text-xs text-muted">
                {model} · about {count(estimatedTokens)} tokens, from the pages and settings of now
              </p>
              <CodeBlock code={instructions} label="Copy the instructions" />
              {history.length > 0 && (
                <CodeBlock
                  code={history.map(({ role, text }) => `${role}: ${text}`).join('\n\n')}
                  label="Copy the earlier turns"
                />
              )}
              <CodeBlock code={question} label="Copy the question" />
            </>
          )}
        </Loaded>
      </div>
    </details>
  );
}
