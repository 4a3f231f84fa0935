import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf, type Schema } from '../../api/client.ts';
import { assistantSettingsQuery, useOrganization, useSite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { SelectField, TextAreaField } from '../../ui/field.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Loaded, Notice, Skeleton } from '../../ui/page.tsx';
import { AnswerBasis, factsOf } from './answer-basis.tsx';

type Answer = Schema<'AssistantThreadAnswer'>;
interface ReplayProps {
  threadId: string;
  message: Answer;
}

/** Answers a question again with another model or other instructions, beside the stored answer. */
export function ReplayAnswer(props: ReplayProps) {
  const { may } = useOrganization();
  return may('editor') ? (
    <Details summary="Answer it again">
      <ReplayForm {...props} />
    </Details>
  ) : null;
}

function ReplayForm({ threadId, message }: ReplayProps) {
  const { projectId, url } = useSite();
  const settings = useQuery(assistantSettingsQuery(projectId));
  const [model, setModel] = useState('');
  const [instructions, setInstructions] = useState<string>();
  const replay = useMutation({
    mutationFn: () =>
      api.post('/v1/analytics/{projectId}/assistant/threads/{threadId}/replay', {
        path: { projectId, threadId },
        body: {
          messageId: message.id,
          ...(model !== '' && { model }),
          ...(instructions !== undefined && { instructions: instructions.trim() || null }),
        },
      }),
  });
  return (
    <>
      <Loaded query={settings} placeholder={<Skeleton lines={3} />}>
        {({ models, usesLanguageModel, instructions: saved }) => (
          <>
            <SelectField
              label="Model"
              none="The one of the site"
              options={{
                ...Object.fromEntries(models.map((name) => [name, name])),
                extractive: 'None: quote the pages',
              }}
              value={model}
              onChange={({ target }) => setModel(target.value)}
            />
            {(usesLanguageModel || models.length > 0) && (
              <TextAreaField
                label="Instructions"
                maxLength={4000}
                hint="For this answer only. Its tokens count like those of every answer."
                value={instructions ?? saved ?? ''}
                onChange={({ target }) => setInstructions(target.value)}
              />
            )}
          </>
        )}
      </Loaded>
      <Button className="self-end" isBusy={replay.isPending} onClick={() => replay.mutate()}>
        Answer again
      </Button>
      {replay.error && <Notice tone="danger">{messageOf(replay.error)}</Notice>}
      {replay.data && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Side title="Stored" answer={message} base={url} />
          <Side title="New" answer={replay.data} base={url} />
        </div>
      )}
    </>
  );
}

function Side({ title, answer, base }: { title: string; answer: Answer; base: string }) {
  return (
    <section aria-label={`${title} answer`} className="flex min-w-0 flex-col gap-2">
      <h3 className="text-xs font-semibold text-muted">
        {[title, answer.model].filter(Boolean).join(' · ')}
      </h3>
      <Markdown text={answer.content} base={base} />
      <p className="text-xs text-muted">{factsOf(answer).join(' · ')}</p>
      {title === 'New' && <AnswerBasis message={answer} />}
    </section>
  );
}
