import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { useOrganization } from '../../api/queries.ts';
import { AnchorButton, Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { confirmAction, Dialog } from '../../ui/overlays/dialog.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { startGitHubApp } from './github-form.ts';

type GitHubApp = Schema<'GitHubApp'>;

/** The GitHub Apps of the organization. */
export function useGitHubApps(isEnabled = true) {
  return useQuery({
    queryKey: ['github-apps'],
    queryFn: async () => (await api.get('/v1/github-apps', { query: { limit: 100 } })).items,
    enabled: isEnabled,
  });
}

/** Lists the GitHub Apps of the organization, creates and removes them. */
export function GitHubAppsCard() {
  const [isOpen, setOpen] = useState(false);
  const query = useGitHubApps();
  return (
    <Card title="GitHub Apps" about="Let the server read repositories without a person's token.">
      <Loaded query={query} isPadded>
        {(apps) => apps.map((app) => <AppRow key={app.id} app={app} />)}
      </Loaded>
      <div className="p-4">
        <Button icon="plus" onClick={() => setOpen(true)}>
          Create GitHub App
        </Button>
      </div>
      <Dialog title="Create GitHub App" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewAppForm />
      </Dialog>
    </Card>
  );
}

function AppRow({ app: { id, name, host, owner, installUrl } }: { app: GitHubApp }) {
  const remove = () =>
    confirmAction({
      title: `Remove ${name}`,
      text: 'It is uninstalled, and its key is deleted here. Delete the app itself at GitHub.',
      action: 'Remove GitHub App',
      run: () => api.delete('/v1/github-apps/{githubAppId}', { path: { githubAppId: id } }),
      done: `${name} is removed`,
      failed: `${name} could not be removed`,
    });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b p-4">
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        {name}
        <span className="truncate text-s text-muted">
          {host}
          {owner !== null && ` · owned by ${owner}`}
        </span>
      </span>
      <span className="flex flex-wrap gap-1">
        <AnchorButton size="sm" href={installUrl} target="_blank" rel="noreferrer">
          Choose repositories
        </AnchorButton>
        <IconButton icon="trash" label={`Remove ${name}`} onClick={remove} />
      </span>
    </div>
  );
}

/** Asks where the app is to be, and leads to GitHub. */
export function NewAppForm() {
  const { slug: org } = useOrganization();
  const form = useApiForm({
    values: { host: 'github.com', owner: '' },
    submit: (values) => startGitHubApp(org, values),
  });
  return (
    <Form form={form} action="Create GitHub App">
      <TextField
        label="Host"
        hint="github.com, or that of GitHub Enterprise."
        required
        {...form.field('host')}
      />
      <TextField
        label="Organization at GitHub"
        hint="It will own the app. Empty: your own account there."
        {...form.field('owner')}
      />
    </Form>
  );
}
