import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { refresh, useOrganization } from '../../api/queries.ts';
import { TextField } from '../../ui/field.tsx';
import { plural } from '../../ui/format.ts';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { Notice } from '../../ui/page.tsx';

interface CloseProps {
  scope: { projectId: string };
  asked: Pick<Schema<'AskedQuestion'>, 'question' | 'otherWordings' | 'waiting'>;
}

/** Says how many readers wait for an answer, and lets an editor tell them which page has it. */
export function CloseQuestion({
  scope: { projectId },
  asked: { question, otherWordings, waiting },
}: CloseProps) {
  const { may } = useOrganization();
  const [told, setTold] = useState<number>();
  const form = useApiForm({
    values: { page: '' },
    submit: ({ page }) =>
      api.post('/v1/analytics/{projectId}/assistant/questions/close', {
        path: { projectId },
        body: { questions: [question, ...otherWordings], page },
      }),
    onDone: async (result) => {
      setTold(result.told);
      await refresh();
    },
  });
  if (told !== undefined)
    return <Notice tone="success">{plural(told, 'reader')} will be told.</Notice>;
  const about = `${plural(waiting, 'reader')} left an address and will be told when this is answered.`;
  if (!may('editor')) return <p className="text-muted">{about}</p>;
  return (
    <Form form={form} action="Tell them">
      <p className="text-muted">
        {about} That happens by itself once a test question in these words is answered.
      </p>
      <TextField
        label="Page that answers it"
        placeholder="/guides/keys"
        required
        {...form.field('page')}
      />
    </Form>
  );
}
