import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useOrganization, useSite } from '../../api/queries.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { Details } from '../../ui/details.tsx';
import { count } from '../../ui/format.ts';
import { Loaded, Skeleton } from '../../ui/page.tsx';

interface PromptProps {
  threadId: string;
  messageId: string;
}

/** Shows what the language model of the site gets for a question. */
export function AnswerPrompt(props: PromptProps) {
  const { may } = useOrganization();
  return may('editor') ? (
    <Details summary="What the model gets for it">
      <Prompt {...props} />
    </Details>
  ) : null;
}

function Prompt({ threadId, messageId }: PromptProps) {
  const { projectId } = useSite();
  const prompt = useQuery({
    queryKey: ['answer-prompt', projectId, threadId, messageId],
    retry: false,
    queryFn: () =>
      api.post('/v1/analytics/{projectId}/assistant/threads/{threadId}/prompt', {
        path: { projectId, threadId },
        body: { messageId },
      }),
  });
  return (
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
  );
}
