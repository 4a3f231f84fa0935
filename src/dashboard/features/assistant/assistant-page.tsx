import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { type Site, useOrganisation, useSite } from '../../api/current.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextAreaField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { linesOf } from '../../ui/format.ts';
import { Card, ErrorState, Page, Skeleton } from '../../ui/page.tsx';
import { notify } from '../../ui/toast.tsx';
import { TryAssistant } from './try-assistant.tsx';

type Settings = Schema<'AssistantSettings'>;

function settingsQuery(org: string, projectId: string) {
  return {
    queryKey: [org, 'assistant-settings', projectId],
    queryFn: () => bodyOf(api.GET('/v1/project/{projectId}/assistant-settings', { params: { path: { projectId } } })),
  };
}

/** The settings of the assistant of a site, and a place to try them. */
export function AssistantPage() {
  const { slug: org } = useOrganisation();
  const site = useSite() as Site;
  const { data, error, refetch } = useQuery(settingsQuery(org, site.projectId));
  return (
    <Page title="Assistant" about="Answers readers' questions from the pages of this site, with its sources">
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
          <SettingsForm settings={data} site={site} />
          <TryAssistant site={site} isEnabled={data.enabled} starters={data.starterQuestions} />
        </div>
      )}
    </Page>
  );
}

function SettingsForm({ settings, site }: { settings: Settings; site: Site }) {
  const { slug: org, may } = useOrganisation();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(settings);
  const form = useApiForm({
    values: valuesOf(saved),
    submit: (values) =>
      bodyOf(
        api.PATCH('/v1/project/{projectId}/assistant-settings', {
          params: { path: { projectId: site.projectId } },
          body: settingsOf(values),
        }),
      ),
    onDone: (next) => {
      queries.setQueryData(settingsQuery(org, site.projectId).queryKey, next);
      setSaved(next);
      form.reset(valuesOf(next));
      notify('The settings are saved');
    },
  });
  return (
    <Form
      form={form}
      action="Save changes"
      lacks={may('editor') ? undefined : 'Editors'}
      secondary={form.formState.isDirty && <Button onClick={() => form.reset(valuesOf(saved))}>Discard changes</Button>}
      isSettings
      className="gap-6"
    >
      <Card title="Answers" isPadded>
        <div className="flex flex-col gap-4">
          <CheckField
            label="Answer questions"
            hint="Without it, readers see no assistant, and the API refuses questions."
            {...form.field('enabled')}
          />
          <TextField
            label="Model"
            placeholder="default"
            hint="Name of one of the models that the operator offers. Empty: the default one."
            {...form.field('model')}
          />
          <TextAreaField
            label="Starter questions"
            hint="Offered before the first question, one a line, at most six."
            {...form.field('starterQuestions')}
          />
        </div>
      </Card>
      <Card title="When the documentation has no answer" isPadded>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Support email" type="email" {...form.field('supportEmail')} />
          <TextField label="Support page" type="url" placeholder="https://" {...form.field('supportUrl')} />
        </div>
      </Card>
      <Card title="Who may ask" isPadded>
        <div className="flex flex-col gap-4">
          <TextAreaField
            label="Allowed origins"
            rows={2}
            placeholder="https://www.example.com"
            hint="Web origins whose pages may ask with a key, one a line. Empty: every origin."
            {...form.field('allowedOrigins')}
          />
          <CheckField
            label="Require the key of a conversation"
            hint="A conversation continues only with the secret that its first answer came with."
            {...form.field('requireThreadKey')}
          />
          <CheckField label="Check for bots" hint="A question must bring a proof of work." {...form.field('botCheck')} />
        </div>
      </Card>
      <Card title="Retention" isPadded>
        <div className="max-w-48">
          <TextField
            label="Days"
            type="number"
            min={1}
            max={3650}
            hint="After its last message, a conversation is deleted."
            {...form.field('retentionDays', { valueAsNumber: true })}
          />
        </div>
      </Card>
    </Form>
  );
}

function valuesOf({ model, starterQuestions, supportEmail, supportUrl, allowedOrigins, ...rest }: Settings) {
  return {
    ...rest,
    model: model ?? '',
    starterQuestions: starterQuestions.join('\n'),
    supportEmail: supportEmail ?? '',
    supportUrl: supportUrl ?? '',
    allowedOrigins: allowedOrigins.join('\n'),
  };
}

function settingsOf({
  model,
  starterQuestions,
  supportEmail,
  supportUrl,
  allowedOrigins,
  ...rest
}: ReturnType<typeof valuesOf>): Settings {
  return {
    ...rest,
    model: model.trim() || null,
    // A question may have commas.
    starterQuestions: starterQuestions
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    supportEmail: supportEmail.trim() || null,
    supportUrl: supportUrl.trim() || null,
    allowedOrigins: linesOf(allowedOrigins),
  };
}
