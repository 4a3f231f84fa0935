import { useQuery } from '@tanstack/react-query';
import { api, type Schema } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Foldable } from '../../ui/foldable.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { NewAppForm, useGitHubApps } from './github-apps-card.tsx';

type Source = Schema<'GitSource'>;
type Kind = Source['credentials']['kind'];

const CREDENTIALS: Record<Kind, string> = {
  none: 'None: the repository is public',
  token: 'Access token',
  ssh: 'Deploy key of this server',
  github_app: 'GitHub App of the organization',
};

const HOSTS: Record<Source['provider'], string> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
  bitbucket: 'Bitbucket Cloud',
  'bitbucket-server': 'Bitbucket Data Center',
  azure: 'Azure Repos',
  other: 'Another host',
};

const PREVIEWS: Record<Source['previews'], string> = {
  public: 'Everyone who has the address',
  members: 'Members of the organization',
  none: 'Nobody: no previews',
};

const FORKS: Record<Source['forks'], string> = {
  approval: 'Build when an editor approves the commit',
  members: 'Build at once if the author is a member, according to GitHub',
  all: 'Build at once',
};

const VALE: Record<Source['vale'], string> = {
  off: 'Off',
  reports: 'Report problems',
  fails: 'Report problems, and fail the check on errors',
};
const CHECKS: Record<Source['failsOn'], string> = {
  builds: 'A failed build',
  errors: 'Errors',
  links: 'Errors and broken links',
  warnings: 'Errors and warnings',
};

/** What most repositories need no other value of; folded away until one is faulty or changed. */
const FURTHER_FIELDS = ['path', 'provider', 'submodules', 'submoduleHosts', 'lfs', 'previews'];

interface FormProps {
  projectId: string;
  /** The one that is changed; without it, the site is connected. */
  source?: Source;
  /** Address to begin with. */
  url?: string;
  /** Whether it is a further source, which must have a path of its own. */
  isFurther: boolean;
  onDone: () => void;
}

/** Connects a site with a repository, or changes that. */
export function GitSourceForm({ projectId, source, url = '', isFurther, onDone }: FormProps) {
  const form = useApiForm({
    values: {
      url: source?.url ?? url,
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
        ? api.patch('/v1/projects/{projectId}/sources/{sourceId}', {
            path: { projectId, sourceId: source.id },
            body,
          })
        : api.post('/v1/projects/{projectId}/sources', { path: { projectId }, body });
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
          The organization has no GitHub App yet. Create it, confirm it on GitHub, and choose its
          repositories there. Then connect the repository here.
        </p>
        <NewAppForm />
        <Button size="sm" className="mt-4" onClick={() => form.setValue('kind', 'none')}>
          Other credentials
        </Button>
      </>
    );
  const hasFault = FURTHER_FIELDS.some((name) => name in form.formState.errors);
  const path = (
    <TextField
      label="Path"
      placeholder="api"
      hint={
        isFurther
          ? 'Its pages are below this path. The other repositories must not have it.'
          : 'Leave empty to put its pages at the top of the site.'
      }
      required={isFurther}
      {...form.field('path')}
    />
  );
  return (
    <Form form={form} action={source ? 'Save' : isFurther ? 'Add' : 'Connect'}>
      <TextField
        label="Address"
        placeholder="https://github.com/acme/docs"
        required
        {...form.field('url')}
      />
      {isFurther && path}
      <TextField label="Branch" required {...form.field('branch')} />
      <TextField
        label="Folder"
        hint="The folder that has docs.json. Leave empty for the whole repository."
        {...form.field('folder')}
      />
      <SelectField label="Credentials" options={CREDENTIALS} {...form.field('kind')} />
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
                ? 'Leave empty to keep the stored token.'
                : 'Read access to the repository is enough.'
            }
            {...form.field('token')}
          />
          <TextField
            label="User name"
            hint="Only if the Git host requires a specific one."
            {...form.field('username')}
          />
        </>
      )}
      <CheckField label="Publish each push" {...form.field('automatic')} />
      <div className="-mx-4">
        <Foldable title="More settings" isOpen={source !== undefined || hasFault}>
          <div className="flex flex-col gap-4 px-4 pt-2">
            {!isFurther && path}
            <SelectField
              label="Git host"
              options={HOSTS}
              none="Detect from the address"
              {...form.field('provider')}
            />
            <CheckField label="Fetch submodules" {...form.field('submodules')} />
            {form.watch('submodules') && (
              <TextField
                label="Other submodule hosts"
                hint="Separate them with commas. Submodules on the host of the repository need no entry."
                {...form.field('submoduleHosts')}
              />
            )}
            <CheckField label="Fetch files in Git LFS" {...form.field('lfs')} />
            <SelectField
              label="Who can read pull request previews"
              options={PREVIEWS}
              {...(!source && {
                none: 'Everyone if the repository is public, otherwise members',
              })}
              {...form.field('previews')}
            />
            <SelectField
              label="Pull requests from forks"
              options={FORKS}
              hint="A preview runs the scripts of its pages in readers' browsers, at an address of its own."
              {...form.field('forks')}
            />
            <SelectField
              label="Fail the check on"
              options={CHECKS}
              hint="Only problems that the pull request adds count. To report the check, the credentials must allow writing comments and commit statuses."
              {...form.field('failsOn')}
            />
            <CheckField
              label="Fail the check when a test question loses its answer"
              {...form.field('failsOnAnswers')}
            />
            <SelectField
              label="Vale"
              options={VALE}
              hint={
                source?.hasVale === false
                  ? 'Vale is not installed on this server, so it checks nothing.'
                  : 'Checks how pages are written, with the .vale.ini in the folder.'
              }
              {...form.field('vale')}
            />
          </div>
        </Foldable>
      </div>
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
      return (await api.get('/v1/github-apps/{githubAppId}/repositories', params)).repositories;
    },
  });
  return (
    <SelectField
      label="Repository"
      hint="If a repository is missing, select it for the app on GitHub first."
      options={Object.fromEntries(repositories.map((item) => [item.url, item.name]))}
      none="Use the address above"
      error={error?.message}
      value={repositories.some((item) => item.url === url) ? url : ''}
      onChange={(event) => {
        const repository = repositories.find((item) => item.url === event.target.value);
        if (repository) onChoose(repository);
      }}
    />
  );
}
