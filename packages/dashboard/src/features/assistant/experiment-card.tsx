import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf, type Schema } from '../../api/client.ts';
import { refresh, type Site, useOrganization } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { count, money, synonymsOf } from '../../ui/format.ts';
import { notify } from '../../ui/overlays/notify.ts';
import { Card, Loaded, Notice, Skeleton } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { RelativeTime } from '../../ui/values.tsx';

type Running = NonNullable<Schema<'AssistantExperiment'>['experiment']>;
type Outcomes = Schema<'VariantOutcomes'>;

/** Other settings for a share of the conversations, and what comes of both. */
export function ExperimentCard({ site, models }: { site: Site; models: string[] }) {
  const params = { path: { projectId: site.projectId } };
  const query = useQuery({
    queryKey: ['assistant-experiment', site.projectId],
    queryFn: () => api.get('/v1/project/{projectId}/assistant-experiment', params),
  });
  return (
    <Card
      title="Experiment"
      about="Gives a share of new conversations other settings, and compares what comes of both."
      isPadded
    >
      <Loaded query={query} placeholder={<Skeleton lines={3} />}>
        {({ experiment }) =>
          experiment === null ? (
            <StartExperiment site={site} models={models} />
          ) : (
            <RunningExperiment site={site} experiment={experiment} />
          )
        }
      </Loaded>
    </Card>
  );
}

function StartExperiment({ site, models }: { site: Site; models: string[] }) {
  const { may } = useOrganization();
  const [isOpen, setOpen] = useState(false);
  const [share, setShare] = useState('20');
  const [model, setModel] = useState('');
  const [instructions, setInstructions] = useState('');
  const [synonyms, setSynonyms] = useState('');
  const start = useMutation({
    mutationFn: () =>
      api.post('/v1/project/{projectId}/assistant-experiment', {
        path: { projectId: site.projectId },
        body: {
          share: Number(share),
          ...(model !== '' && { model }),
          ...(instructions.trim() !== '' && { instructions: instructions.trim() }),
          ...(synonyms.trim() !== '' && { synonyms: synonymsOf(synonyms) }),
        },
      }),
    onSuccess: () => {
      notify('Experiment started');
      return refresh();
    },
  });
  if (!may('editor')) return <Notice>Editors can start an experiment.</Notice>;
  if (!isOpen) return <Button onClick={() => setOpen(true)}>Set up an experiment</Button>;
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label="Percentage of new conversations"
        type="number"
        min={1}
        max={99}
        value={share}
        onChange={({ target }) => setShare(target.value)}
      />
      {models.length > 0 && (
        <SelectField
          label="Other model"
          none="The same"
          options={Object.fromEntries(models.map((name) => [name, name]))}
          value={model}
          onChange={({ target }) => setModel(target.value)}
        />
      )}
      <TextAreaField
        label="Other instructions"
        maxLength={4000}
        hint="In place of those of the site. Empty: the same."
        value={instructions}
        onChange={({ target }) => setInstructions(target.value)}
      />
      <TextAreaField
        label="Other synonyms"
        rows={2}
        hint="In place of those of the site, one group per line, separated by commas. Empty: the same."
        value={synonyms}
        onChange={({ target }) => setSynonyms(target.value)}
      />
      {start.error && <Notice tone="danger">{messageOf(start.error)}</Notice>}
      <Button
        className="self-end"
        disabled={model + (instructions + synonyms).trim() === ''}
        isBusy={start.isPending}
        onClick={() => start.mutate()}
      >
        Start experiment
      </Button>
    </div>
  );
}

const ROWS: [title: string, cell: (outcomes: Outcomes) => string][] = [
  ['Conversations', ({ conversations }) => count(conversations)],
  ['Answers', ({ answers }) => count(answers)],
  ['Answered', ({ answered, answers }) => shareOf(answered, answers)],
  ['In part', ({ partly, answers }) => shareOf(partly, answers)],
  ['Not in the docs', ({ notInDocs, answers }) => shareOf(notInDocs, answers)],
  ['Helpful', ({ helpful }) => count(helpful)],
  ['Not helpful', ({ notHelpful }) => count(notHelpful)],
  ['Tokens', ({ tokens }) => count(tokens)],
  ['Cost', ({ costUsd }) => (costUsd === null ? '–' : money(costUsd))],
];

const shareOf = (part: number, all: number) =>
  all === 0 ? '–' : `${count(part)} (${Math.round((part / all) * 100)}%)`;

function RunningExperiment({ site, experiment }: { site: Site; experiment: Running }) {
  const { may } = useOrganization();
  const { share, settings, startedAt, current, other } = experiment;
  const end = useMutation({
    mutationFn: (adopt: boolean) =>
      api.delete('/v1/project/{projectId}/assistant-experiment', {
        path: { projectId: site.projectId },
        query: { adopt: adopt ? 'true' : 'false' },
      }),
    onSuccess: (_, adopt) => {
      notify(adopt ? 'The other settings are saved' : 'Experiment ended');
      return refresh();
    },
  });
  return (
    <div className="flex flex-col gap-4">
      <p className="text-s text-muted">
        {share}% of the conversations since <RelativeTime at={startedAt} /> have other{' '}
        {Object.keys(settings)
          .map((name) => (name === 'pageRules' ? 'page rules' : name))
          .join(', ')}
        .
      </p>
      <Table
        label="Outcomes of both settings"
        rows={ROWS}
        keyOf={([title]) => title}
        columns={[
          { title: 'Outcome', cell: ([title]) => title },
          { title: 'Current', isNumber: true, cell: ([, cell]) => cell(current) },
          { title: 'Other', isNumber: true, cell: ([, cell]) => cell(other) },
        ]}
      />
      {end.error && <Notice tone="danger">{messageOf(end.error)}</Notice>}
      {may('editor') && (
        <div className="flex flex-wrap justify-end gap-2">
          <Button isBusy={end.isPending} onClick={() => end.mutate(false)}>
            End and keep the current settings
          </Button>
          <Button isBusy={end.isPending} onClick={() => end.mutate(true)}>
            End and adopt the other settings
          </Button>
        </div>
      )}
    </div>
  );
}
