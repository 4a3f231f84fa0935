import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { NewAppForm, useGitHubApps } from './github-apps-card.tsx';

type Source = Schema<'GitSource'>;
type Kind = Source['credentials']['kind'];

const CREDENTIALS: Record<Kind, string> = {
  none: 'no credentials, the repository is public',
  token: 'a token',
  ssh: 'a deploy key of this server',
  github_app: 'a GitHub App of the organization',
};

const HOSTS: Record<Source['provider'], string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
  bitbucket: 'Bitbucket Cloud',
  'bitbucket-server': 'Bitbucket Data Center',
  azure: 'Azure Repos',
  other: 'something else',
};

const PREVIEWS: Record<Source['previews'], string> = {
  public: 'for everyone who knows the address',
  members: 'for members of the organization',
  none: 'none',
};

const FORKS: Record<Source['forks'], string> = {
  approval: 'are built when an editor approves the commit',
  members: 'are built at once if they are of members, as GitHub says',
  all: 'are built at once',
};

const VALE: Record<Source['vale'], string> = {
  off: 'does not check how pages are written',
  reports: 'reports what it finds',
  fails: 'reports, and its errors make the check fail',
};
const CHECKS: Record<Source['failsOn'], string> = {
  builds: 'a failed build',
  errors: 'errors',
  links: 'errors and broken links',
  warnings: 'errors and warnings',
};

interface FormProps {
  projectId: string;
  /** The one that is changed; without it, the site is connected. */
  source?: Source;
  /** Whether it is a further source, which must have a path of its own. */
  isFurther: boolean;
  onDone: () => void;
}

/** Connects a site with a repository, or changes that. */
export function GitSourceForm({ projectId, source, isFurther, onDone }: FormProps) {
  const form = useApiForm({
    values: {
      url: source?.url ?? '',
      path: source?.path ?? '',
      branch: source?.branch ?? 'main',
      folder: source?.folder ?? '',
      provider: (source?.provider ?? '') as Source['provider'] | '',
      automatic: source?.automatic ?? true,
      previews: (source?.previews ?? '') as Source['previews'] | '',
      forks: source?.forks ?? 'approval',
      failsOn: source?.failsOn ?? 'errors',
      failsOnAnswers: source?.failsOnAnswers ?? false,
      vale: source?.vale ?? 'off',
      submodules: source?.submodules ?? false,
      submoduleHosts: source?.submoduleHosts.join(', ') ?? '',
      lfs: source?.lfs ?? false,
      kind: (source?.credentials.kind ?? 'none') as Kind,
      username: source?.credentials.username ?? '',
      token: '',
      githubAppId: source?.credentials.githubApp?.id ?? '',
    },
    submit: ({
      kind,
      username,
      token,
      githubAppId,
      provider,
      previews,
      path,
      submoduleHosts,
      ...place
    }) => {
      // The stored token is never shown; an empty field keeps it.
      const secret = { username: username || null, ...(token !== '' && { token }) };
      const body = {
        ...place,
        path,
        submoduleHosts: submoduleHosts
          .toLowerCase()
          .split(/[\s,]+/)
          .filter(Boolean),
        ...(previews !== '' && { previews }),
        ...(provider !== '' && provider !== source?.provider && { provider }),
        credentials: {
          kind,
          ...(kind === 'token' && secret),
          ...(kind === 'github_app' && githubAppId !== '' && { githubAppId }),
        },
      };
      return source
        ? bodyOf(
            api.PATCH('/v1/projects/{projectId}/sources/{sourceId}', {
              params: { path: { projectId, sourceId: source.id } },
              body,
            }),
          )
        : bodyOf(
            api.POST('/v1/projects/{projectId}/sources', { params: { path: { projectId } }, body }),
          );
    },
    onDone: async () => {
      await refresh();
      onDone();
      notify(source ? 'Repository saved' : 'Repository connected');
    },
  });
  const kind = form.watch('kind');
  const apps = useGitHubApps(kind === 'github_app').data;
  const githubAppId = form.watch('githubAppId') || apps?.[0]?.id;
  // GitHub asks a person for the rest, so nothing else of the form is needed yet.
  if (kind === 'github_app' && apps?.length === 0)
    return (
      <>
        <p className="mb-4 text-s text-muted">
          The organization has no GitHub App yet. You confirm it at GitHub, and choose its
          repositories there; then connect the repository here.
        </p>
        <NewAppForm />
        <Button size="sm" className="mt-4" onClick={() => form.setValue('kind', 'none')}>
          Other credentials
        </Button>
      </>
    );
  return (
    <Form form={form} action={source ? 'Save' : isFurther ? 'Add' : 'Connect'}>
      <TextField
        label="Address"
        placeholder="https://github.com/acme/docs"
        required
        autoComplete="off"
        {...form.field('url')}
      />
      <TextField
        label="Path"
        placeholder="api"
        hint={
          isFurther
            ? 'Its pages are below this path. The other repositories must not have it.'
            : 'Empty: its pages are at the top of the site.'
        }
        required={isFurther}
        autoComplete="off"
        {...form.field('path')}
      />
      <TextField label="Branch" required autoComplete="off" {...form.field('branch')} />
      <TextField
        label="Folder"
        hint="Where docs.json is. Empty: the whole repository."
        autoComplete="off"
        {...form.field('folder')}
      />
      <SelectField
        label="Hosted by"
        options={HOSTS}
        none="what its name says"
        {...form.field('provider')}
      />
      <SelectField label="The server is let in by" options={CREDENTIALS} {...form.field('kind')} />
      {kind === 'github_app' && apps && githubAppId !== undefined && (
        <>
          <SelectField
            label="GitHub App"
            options={Object.fromEntries(
              apps.map(({ id, name, host }) => [id, `${name} at ${host}`]),
            )}
            {...form.field('githubAppId')}
          />
          <RepositoryField
            githubAppId={githubAppId}
            url={form.watch('url')}
            onChoose={({ url, defaultBranch }) => {
              form.setValue('url', url, { shouldDirty: true });
              form.setValue('branch', defaultBranch, { shouldDirty: true });
            }}
          />
        </>
      )}
      {kind === 'token' && (
        <>
          <TextField
            label="Token"
            type="password"
            hint={
              source?.credentials.kind === 'token'
                ? 'Empty: keep the stored one.'
                : 'It needs only the right to read the repository.'
            }
            autoComplete="off"
            {...form.field('token')}
          />
          <TextField
            label="User name"
            hint="Only if the server needs a certain one."
            autoComplete="off"
            {...form.field('username')}
          />
        </>
      )}
      <CheckField label="Publish each push" {...form.field('automatic')} />
      <CheckField label="Fetch submodules" {...form.field('submodules')} />
      {form.watch('submodules') && (
        <TextField
          label="Other hosts of submodules"
          hint="With commas between them. Submodules at the host of the repository need no entry."
          autoComplete="off"
          {...form.field('submoduleHosts')}
        />
      )}
      <CheckField label="Fetch files in Git LFS" {...form.field('lfs')} />
      <SelectField
        label="Previews of pull requests"
        options={PREVIEWS}
        {...(!source && { none: 'for everyone if the repository is public, else for members' })}
        {...form.field('previews')}
      />
      <SelectField
        label="Pull requests from forks"
        options={FORKS}
        hint="A preview runs the scripts of its pages in readers' browsers, at an address of its own."
        {...form.field('forks')}
      />
      <SelectField
        label="Their check fails for"
        options={CHECKS}
        hint="Of what the change brings. A token that may write comments and commit statuses reports it."
        {...form.field('failsOn')}
      />
      <CheckField
        label="Their check fails if a test question loses its answer"
        {...form.field('failsOnAnswers')}
      />
      <SelectField
        label="Vale"
        options={VALE}
        hint={
          source?.hasVale === false
            ? 'Vale is not installed on this server, so it checks nothing.'
            : 'It reads the .vale.ini in the folder.'
        }
        {...form.field('vale')}
      />
    </Form>
  );
}

interface Repository {
  url: string;
  name: string;
  defaultBranch: string;
}

/** Chooses one of the repositories that an app is installed for. */
function RepositoryField({
  githubAppId,
  url,
  onChoose,
}: {
  githubAppId: string;
  url: string;
  onChoose: (repository: Repository) => void;
}) {
  const { data: repositories = [], error } = useQuery({
    queryKey: ['github-app-repositories', githubAppId],
    queryFn: async () => {
      const params = { path: { githubAppId } };
      return (await bodyOf(api.GET('/v1/github-apps/{githubAppId}/repositories', { params })))
        .repositories;
    },
  });
  return (
    <SelectField
      label="Repository"
      hint="What is missing here, choose at GitHub first."
      options={Object.fromEntries(repositories.map((item) => [item.url, item.name]))}
      none="the address above"
      error={error?.message}
      value={repositories.some((item) => item.url === url) ? url : ''}
      onChange={(event) => {
        const repository = repositories.find((item) => item.url === event.target.value);
        if (repository) onChoose(repository);
      }}
    />
  );
}
