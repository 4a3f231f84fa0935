import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { useOrganisation, useSite } from '../../api/current.ts';
import { queries, type Site } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { linesOf } from '../../ui/format.ts';
import { notify } from '../../ui/overlays/notify.ts';
import { Card, Loaded, Page, Skeleton } from '../../ui/page.tsx';
import { TryAssistant } from './try-assistant.tsx';

type Settings = Schema<'AssistantSettings'>;

function settingsQuery(projectId: string) {
  return {
    queryKey: ['assistant-settings', projectId],
    queryFn: () => bodyOf(api.GET('/v1/project/{projectId}/assistant-settings', { params: { path: { projectId } } })),
  };
}

/** The settings of a site's assistant, and a form to try it. */
export function AssistantPage() {
  const site = useSite();
  const query = useQuery(settingsQuery(site.projectId));
  return (
    <Page title="Assistant" about="Answers questions from the pages of this site, with sources">
      <Loaded query={query} placeholder={<Skeleton lines={8} />}>
        {(settings) => (
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
            <SettingsForm settings={settings} site={site} />
            <TryAssistant site={site} isEnabled={settings.enabled} starters={settings.starterQuestions} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function SettingsForm({ settings, site }: { settings: Settings; site: Site }) {
  const { may } = useOrganisation();
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
      queries.setQueryData(settingsQuery(site.projectId).queryKey, next);
      setSaved(next);
      form.reset(valuesOf(next));
      notify('Settings saved');
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
            hint="If off, readers see no assistant, and the API refuses questions."
            {...form.field('enabled')}
          />
          <SelectField
            label="Model"
            disabled={saved.models.length === 0}
            hint={modelHint(saved.models)}
            none="Server default"
            options={Object.fromEntries([...saved.models, ...(saved.model ? [saved.model] : [])].map((name) => [name, name]))}
            {...form.field('model')}
          />
          <TextAreaField
            label="Starter questions"
            hint="Suggested before the first question, one per line, at most six."
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
            hint="Web origins whose pages may use a key, one per line. Empty: every origin."
            {...form.field('allowedOrigins')}
          />
          <CheckField
            label="Require the key of a conversation"
            hint="A conversation can be continued only with the secret from its first answer."
            {...form.field('requireThreadKey')}
          />
          <CheckField label="Check for bots" hint="A question must include a proof of work." {...form.field('botCheck')} />
        </div>
      </Card>
      <Card title="Retention" isPadded>
        <div className="max-w-48">
          <TextField
            label="Days"
            type="number"
            min={1}
            max={3650}
            hint="How long after its last message a conversation is deleted."
            {...form.field('retentionDays', { valueAsNumber: true })}
          />
        </div>
      </Card>
    </Form>
  );
}

function modelHint(models: readonly string[]): string {
  return models.length > 0
    ? 'The model that writes the answers.'
    : 'The server has no other models. The operator can add models with the setting DOCENT_MODELS.';
}

function valuesOf({ models: _, model, starterQuestions, supportEmail, supportUrl, allowedOrigins, ...rest }: Settings) {
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
}: ReturnType<typeof valuesOf>): Partial<Settings> {
  return {
    ...rest,
    model: model.trim() || null,
    // A question may contain commas.
    starterQuestions: starterQuestions
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    supportEmail: supportEmail.trim() || null,
    supportUrl: supportUrl.trim() || null,
    allowedOrigins: linesOf(allowedOrigins),
  };
}
