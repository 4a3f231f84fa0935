import { readAnswer } from '@docent/theme/elements/assistant/read-answer.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api, messageOf, request, type Schema } from '../../api/client.ts';
import {
  assistantSettingsQuery,
  refresh,
  type Site,
  useOrganization,
  useSite,
} from '../../api/queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CheckField, SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { count, linesOf } from '../../ui/format.ts';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { Markdown, Sources } from '../../ui/markdown.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { Card, Loaded, Notice, Page, Skeleton } from '../../ui/page.tsx';
import { ExperimentCard } from './experiment-card.tsx';
import { SearchRulesForm, TrialResult } from './search-rules-form.tsx';

type Settings = Schema<'AssistantSettings'>;

/** The settings of a site's assistant, and a form to try it. */
export function AssistantPage() {
  const site = useSite();
  const { projectId } = site;
  const query = useQuery(assistantSettingsQuery(projectId));
  return (
    <Page title="Assistant" about="Answers questions from the pages of this site, with sources">
      <Loaded query={query} placeholder={<Skeleton lines={8} />}>
        {(settings) => (
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
            <div className="flex flex-col gap-6">
              <SettingsForm settings={settings} site={site} />
              <SearchRulesForm rules={settings} site={site} />
              <ExperimentCard site={site} models={settings.models} />
            </div>
            <TryAssistant
              site={site}
              isEnabled={settings.enabled}
              starters={settings.starterQuestions}
            />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function SettingsForm({ settings, site }: { settings: Settings; site: Site }) {
  const { may } = useOrganization();
  const [saved, setSaved] = useState(settings);
  const form = useApiForm({
    values: valuesOf(saved),
    submit: (values) =>
      api.patch('/v1/project/{projectId}/assistant-settings', {
        path: { projectId: site.projectId },
        body: settingsOf(values),
      }),
    onDone: (next) => {
      setSaved(next);
      form.reset(valuesOf(next));
      notify('Settings saved');
      return refresh();
    },
  });
  const trial = useMutation({
    mutationFn: () =>
      api.post('/v1/project/{projectId}/assistant-settings/try', {
        path: { projectId: site.projectId },
        body: { instructions: settingsOf(form.getValues()).instructions ?? null },
      }),
  });
  const triesInstructions =
    saved.usesLanguageModel && form.watch('instructions') !== (saved.instructions ?? '');
  return (
    <Form
      form={form}
      action="Save changes"
      lacks={may('editor') ? undefined : 'Editors'}
      secondary={
        form.formState.isDirty && (
          <Button onClick={() => form.reset(valuesOf(saved))}>Discard changes</Button>
        )
      }
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
            options={Object.fromEntries(
              [...saved.models, ...(saved.model ? [saved.model] : [])].map((name) => [name, name]),
            )}
            {...form.field('model')}
          />
          <TextAreaField
            label="Instructions"
            rows={6}
            maxLength={4000}
            placeholder="Call our customers members. Recommend the Pro plan for more than five projects."
            hint={
              saved.usesLanguageModel
                ? 'What the language model should know, and how it should answer. It still answers only from the documentation.'
                : 'No effect on this site: without a language model, the assistant quotes pages word for word.'
            }
            {...form.field('instructions')}
          />
          {triesInstructions && (
            <Button
              size="sm"
              className="self-start"
              isBusy={trial.isPending}
              onClick={() => trial.mutate()}
            >
              Try instructions with the test questions
            </Button>
          )}
          {trial.error && <Notice tone="danger">{messageOf(trial.error)}</Notice>}
          {triesInstructions && trial.data && <TrialResult trial={trial.data} />}
          {saved.usesLanguageModel && (
            <TextField
              label="Tokens per day"
              type="number"
              min={0}
              placeholder="No limit"
              hint={`Limits what the language model costs. After that, pages are quoted until midnight UTC. Used today: ${count(saved.tokensToday)}.`}
              {...form.field('tokensPerDay')}
            />
          )}
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
          <TextField
            label="Support page"
            type="url"
            placeholder="https://"
            {...form.field('supportUrl')}
          />
        </div>
        <div className="mt-4">
          <CheckField
            label="Let readers leave an e-mail address"
            hint={
              saved.sendsMail
                ? 'They get one message when their question is answered; then the address is deleted. Turning it off deletes the addresses.'
                : 'No effect: this server sends no mail. The operator sets DOCENT_SMTP_URL.'
            }
            {...form.field('tellsReaders')}
          />
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
          <CheckField
            label="Check for bots"
            hint="A question must include a proof of work."
            {...form.field('botCheck')}
          />
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

function valuesOf({
  models: _,
  usesLanguageModel: __,
  tokensToday: ___,
  sendsMail: ______,
  synonyms: ____,
  pageRules: _____,
  tokensPerDay,
  model,
  instructions,
  starterQuestions,
  supportEmail,
  supportUrl,
  allowedOrigins,
  ...rest
}: Settings) {
  return {
    ...rest,
    tokensPerDay: tokensPerDay ?? '',
    model: model ?? '',
    instructions: instructions ?? '',
    starterQuestions: starterQuestions.join('\n'),
    supportEmail: supportEmail ?? '',
    supportUrl: supportUrl ?? '',
    allowedOrigins: allowedOrigins.join('\n'),
  };
}

function settingsOf({
  tokensPerDay,
  model,
  instructions,
  starterQuestions,
  supportEmail,
  supportUrl,
  allowedOrigins,
  ...rest
}: ReturnType<typeof valuesOf>): Partial<Settings> {
  return {
    ...rest,
    tokensPerDay: tokensPerDay === '' ? null : Number(tokensPerDay),
    model: model.trim() || null,
    instructions: instructions.trim() || null,
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

/** Of the box with the conversation. */
const BOX_PADDING_PX = 16;

interface Turn {
  question: string;
  answer: string;
  sources: { url: string; title: string }[];
  fault?: string;
}

/**
 * A form to ask the assistant of a site, as its readers do. The server does not keep these
 * conversations.
 */
function TryAssistant({
  site,
  isEnabled,
  starters,
}: {
  site: Site;
  isEnabled: boolean;
  starters: readonly string[];
}) {
  const [turns, setTurns] = useState<Turn[]>([]);
  const [isBusy, setBusy] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);

  const ask = async (question: string) => {
    if (question.trim() === '' || isBusy) return;
    setBusy(true);
    const nextTurns = [...turns, { question, answer: '', sources: [] }];
    setTurns(nextTurns);
    const change = (make: (turn: Turn) => Turn) =>
      setTurns((all) => [...all.slice(0, -1), make(all.at(-1) as Turn)]);
    try {
      const { body } = await askAssistant(site.slug, nextTurns);
      for await (const chunk of readAnswer(body as NonNullable<typeof body>)) {
        if (chunk.type === 'error') throw new Error(chunk.errorText);
        if (chunk.type === 'text-delta')
          change((turn) => ({ ...turn, answer: turn.answer + chunk.delta }));
        if (chunk.type === 'source-url')
          change((turn) => ({ ...turn, sources: [...turn.sources, chunk] }));
      }
    } catch (error) {
      change((turn) => ({ ...turn, fault: messageOf(error) }));
    }
    setBusy(false);
  };
  // The newest question moves to the top of the box as its answer grows, so that it can be read
  // from the beginning.
  useEffect(() => {
    const [box, newest] = [list.current, list.current?.lastElementChild];
    if (turns.length > 0 && box && newest instanceof HTMLElement)
      box.scrollTop = newest.offsetTop - box.offsetTop - BOX_PADDING_PX;
  }, [turns]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const question = field.current?.value ?? '';
    if (field.current) field.current.value = '';
    void ask(question);
  };
  return (
    <Card
      title="Try it"
      about="Uses the saved settings; not counted as a reader’s conversation"
      className="lg:sticky lg:top-8"
      action={
        turns.length > 0 && (
          <Button size="sm" variant="ghost" onClick={() => setTurns([])}>
            Start over
          </Button>
        )
      }
    >
      <div
        ref={list}
        aria-live="polite"
        className="flex max-h-[28rem] min-h-48 flex-col gap-5 overflow-y-auto p-4"
      >
        {turns.length === 0 && starters.length === 0 && (
          <p className="m-auto max-w-56 text-center text-muted">Ask what your readers would ask.</p>
        )}
        {turns.length === 0 &&
          starters.map((question) => (
            <Button
              key={question}
              size="sm"
              className="!h-auto justify-start py-1.5 text-left !whitespace-normal"
              onClick={() => ask(question)}
            >
              {question}
            </Button>
          ))}
        {turns.map((turn, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added
          <div key={index} className="flex flex-col gap-2">
            <p className="self-end rounded-lg bg-accent-soft px-3 py-1.5 text-s">{turn.question}</p>
            {turn.answer === '' && turn.fault === undefined && (
              <div className="skeleton animate-pulse h-4 w-2/3" />
            )}
            <div className="text-s">
              <Markdown text={turn.answer} base={site.url} />
            </div>
            {turn.fault !== undefined && <Notice tone="danger">{turn.fault}</Notice>}
            <Sources sources={turn.sources} className="text-xs" />
          </div>
        ))}
      </div>
      <form onSubmit={onSubmit} className="flex gap-1 border-t border-line p-2">
        <input
          ref={field}
          aria-label="Question"
          placeholder={
            site.published && isEnabled
              ? 'Ask a question'
              : 'Publish the site and turn on the assistant'
          }
          disabled={!site.published || !isEnabled}
          className="h-9 min-w-0 flex-1 rounded-md bg-transparent px-2 text-sm"
        />
        <IconButton
          label="Ask"
          icon="send"
          type="submit"
          className="size-9"
          disabled={isBusy || !site.published || !isEnabled}
        />
      </form>
    </Card>
  );
}

/**
 * Asks the assistant of a site as the signed-in user.
 * @param turns the whole conversation, since the server does not keep it; the last turn is the
 *   question
 * @throws ApiError
 */
function askAssistant(domain: string, turns: readonly Turn[]): Promise<Response> {
  const message = (role: string, text: string, at: number) => ({
    id: `${role}-${at}`,
    role,
    parts: [{ type: 'text', text }],
  });
  const messages = turns.flatMap(({ question, answer }, at) => [
    message('user', question, at),
    ...(answer === '' ? [] : [message('assistant', answer, at)]),
  ]);
  return request(`/discovery/v2/assistant/${encodeURIComponent(domain)}/message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fp: 'dashboard', messages }),
  });
}
