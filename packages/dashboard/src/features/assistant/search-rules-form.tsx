import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf, type Schema } from '../../api/client.ts';
import { refresh, type Site, useOrganization } from '../../api/queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CONTROL, TextAreaField } from '../../ui/field.tsx';
import { count, linesOf, plural, synonymsOf } from '../../ui/format.ts';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { Card, Notice } from '../../ui/page.tsx';

type Rules = Pick<Schema<'AssistantSettings'>, 'synonyms' | 'pageRules'>;
type Trial = Schema<'SearchRulesTrial'>;

/** Pages as people type them: paths, separated by commas. */
interface RuleText {
  question: string;
  pin: string;
  block: string;
}

const EMPTY_RULE: RuleText = { question: '', pin: '', block: '' };
const RULE_FIELDS = [
  ['question', 'Words of the question', 'rotate a key'],
  ['pin', 'Pages that come first', 'guides/keys'],
  ['block', 'Pages that are left out', 'old/keys'],
] as const;

/** The synonyms and page rules of a site, which can be tried before they are saved. */
export function SearchRulesForm({ rules, site }: { rules: Rules; site: Site }) {
  const { may } = useOrganization();
  const [saved, setSaved] = useState(rules);
  const params = { path: { projectId: site.projectId } };
  const form = useApiForm({
    values: valuesOf(saved),
    submit: (values) =>
      api.patch('/v1/project/{projectId}/assistant-settings', { ...params, body: rulesOf(values) }),
    fieldOf: (pointer) => pointer.split('/')[1] ?? '',
    onDone: (next) => {
      setSaved(next);
      form.reset(valuesOf(next));
      notify('Rules saved');
      return refresh();
    },
  });
  const trial = useMutation({
    mutationFn: () =>
      api.post('/v1/project/{projectId}/assistant-settings/try', {
        ...params,
        body: rulesOf(form.getValues()),
      }),
  });
  const pageRules = form.watch('pageRules');
  const setRules = (next: RuleText[]) => form.setValue('pageRules', next, { shouldDirty: true });
  const change = (at: number, part: Partial<RuleText>) =>
    setRules(pageRules.map((rule, index) => (index === at ? { ...rule, ...part } : rule)));
  const fault = form.formState.errors.pageRules?.message;
  return (
    <Form
      form={form}
      action="Save rules"
      lacks={may('editor') ? undefined : 'Editors'}
      secondary={
        <Button isBusy={trial.isPending} onClick={() => trial.mutate()}>
          Try with the test questions
        </Button>
      }
      isSettings
    >
      <Card
        title="Words and pages"
        about="Steers search and answers. A change applies within seconds."
        isPadded
      >
        <div className="flex flex-col gap-5">
          <TextAreaField
            label="Synonyms"
            placeholder="workspace, team"
            hint="Words and phrases that mean the same on this site, one list per line."
            {...form.field('synonyms')}
          />
          <fieldset className="flex flex-col gap-3">
            <legend className="mb-1.5 text-s font-medium">Pages of a question</legend>
            {pageRules.map((rule, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the fields are controlled
              <div key={at} className="flex items-start gap-2">
                <div className="grid flex-1 gap-2 sm:grid-cols-3">
                  {RULE_FIELDS.map(([name, label, placeholder]) => (
                    <input
                      key={name}
                      aria-label={`${label} (rule ${at + 1})`}
                      placeholder={placeholder}
                      value={rule[name]}
                      onChange={({ target }) => change(at, { [name]: target.value })}
                      className={`${CONTROL} h-9`}
                    />
                  ))}
                </div>
                <IconButton
                  label={`Remove rule ${at + 1}`}
                  icon="trash"
                  onClick={() => setRules(pageRules.filter((_, index) => index !== at))}
                />
              </div>
            ))}
            <p className={fault === undefined ? 'text-s text-muted' : 'text-s text-danger'}>
              {fault ??
                'For every question that has these words: the pages that come first and are quoted, and those that are left out. Several are separated by commas.'}
            </p>
            <Button
              size="sm"
              className="self-start"
              onClick={() => setRules([...pageRules, EMPTY_RULE])}
            >
              Add a rule
            </Button>
          </fieldset>
          {trial.error && <Notice tone="danger">{messageOf(trial.error)}</Notice>}
          {trial.data && <TrialResult trial={trial.data} />}
        </div>
      </Card>
    </Form>
  );
}

/** What the tried settings change for the test questions. */
export function TrialResult({ trial }: { trial: Trial }) {
  const { asked, answeredAfter, gained, lost, unknownPages } = trial;
  if (asked === 0)
    return (
      <Notice>
        The live site has no test questions. Add <code className="font-mono">questions.yaml</code>{' '}
        to the repository and publish it.
      </Notice>
    );
  const lines = [
    ...lost.map((question) => `− ${question}`),
    ...gained.map((question) => `+ ${question}`),
    ...unknownPages.map((path) => `There is no page ${path}.`),
  ];
  return (
    <Notice tone={lost.length + unknownPages.length > 0 ? 'warning' : 'neutral'}>
      <p role="status">
        Answers {count(gained.length)} more, loses {count(lost.length)}: {count(answeredAfter)} of{' '}
        {plural(asked, 'question')} answered
      </p>
      {lines.map((line) => (
        <p key={line} className="break-words">
          {line}
        </p>
      ))}
    </Notice>
  );
}

function valuesOf({ synonyms, pageRules }: Rules) {
  return {
    synonyms: synonyms.map((family) => family.join(', ')).join('\n'),
    pageRules: pageRules.map(({ question, pin, block }) => ({
      question,
      pin: pin.join(', '),
      block: block.join(', '),
    })),
  };
}

function rulesOf({ synonyms, pageRules }: ReturnType<typeof valuesOf>): Rules {
  const paths = (text: string) => linesOf(text).map((path) => path.replace(/^\/+/, ''));
  return {
    synonyms: synonymsOf(synonyms),
    pageRules: pageRules
      .filter(({ question, pin, block }) => `${question}${pin}${block}`.trim() !== '')
      .map(({ question, pin, block }) => ({
        question: question.trim(),
        pin: paths(pin),
        block: paths(block),
      })),
  };
}
