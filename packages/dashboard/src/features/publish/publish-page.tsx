import { STARTER_PAGES, starterSettings } from '@docent/format/docs-json/starter-site.ts';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type DragEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { ApiError, api, messageOf, request, type Schema } from '../../api/client.ts';
import { refresh, useOrganization, useSite } from '../../api/queries.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { CodeBlock, CommandHelp } from '../../ui/copy.tsx';
import { cx } from '../../ui/cx.ts';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAction } from '../../ui/overlays/notify.ts';
import { Card, Notice, Page } from '../../ui/page.tsx';
import { type Dropped, readChosen, readDrop } from './read-drop.ts';
import { packTarGz } from './tar.ts';

/**
 * Publishes a new source of a site: by dropping it, or by a command.
 * @param isFirst whether it stands in place of the overview of a site that was never published
 */
export function PublishPage({ isFirst = false }: { isFirst?: boolean }) {
  const { slug: org, may } = useOrganization();
  const site = useSite();
  const navigate = useNavigate();
  const [step, setStep] = useState<Step>();
  const upload = useMutation({
    mutationFn: (dropped: Dropped) => publish(site.projectId, dropped, setStep),
    onSuccess: async (id) => {
      await refresh();
      return navigate({
        to: '/$org/$domain/deployments/$id',
        params: { org, domain: site.slug, id },
      });
    },
    onSettled: () => setStep(undefined),
  });
  return (
    <Page
      title={isFirst ? site.name : 'Publish'}
      about={
        isFirst
          ? 'Nothing is published yet. Drop the documentation here, or publish it from a terminal.'
          : `A new version of ${site.name}. Readers see it once it is built; until then the current version stays live.`
      }
    >
      <div className="flex max-w-3xl flex-col gap-6">
        <DropZone
          step={step}
          failure={upload.error ? <Refusal error={upload.error} org={org} /> : undefined}
          onDropped={(dropped) => upload.mutate(dropped)}
        />
        {isFirst && may('admin') && (
          <p className="text-muted">
            Is it in a Git repository?{' '}
            <LinkButton
              size="sm"
              icon="git-branch"
              to="/$org/$domain/git"
              params={{ org, domain: site.slug }}
              search={{ connect: '' }}
            >
              Connect it
            </LinkButton>
          </p>
        )}
        <Commands slug={site.slug} />
      </div>
    </Page>
  );
}

/**
 * Why an upload was refused; a limit is shared by all sites, which is not obvious where one of them
 * meets it.
 */
function Refusal({ error, org }: { error: Error; org: string }) {
  return (
    <>
      {messageOf(error)}
      {error instanceof ApiError && error.code === 'rate_limited' && (
        <>
          {' '}
          All sites of the organization share this limit; see{' '}
          <Link to="/$org/settings/usage" params={{ org }} className="underline">
            Usage
          </Link>
          .
        </>
      )}
    </>
  );
}

/** Converts `My Docs` to the valid identifier `my-docs`. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.(?:tar\.gz|tgz)$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-|-$/g, '');
}

/** A small site to start with, in the form of a dropped folder. */
function sampleSource(): Dropped {
  const pages = Object.keys(STARTER_PAGES).map((path) => path.replace('.mdx', ''));
  const texts = {
    'docs.json': starterSettings('Sample', [{ group: 'Get started', pages }]),
    ...STARTER_PAGES,
  };
  const files = Object.entries(texts).map(([path, text]) => ({ path, content: new Blob([text]) }));
  return { kind: 'folder', name: 'sample', files };
}

/** `https://github.com/acme/docs.git` → `docs` */
function repositoryName(address: string): string {
  return /([^/:]+?)(?:\.git)?\/?$/.exec(address.trim())?.[1] ?? '';
}

/** Creates a site, and publishes the dropped files to it, or connects it with a repository. */
export function NewSitePage() {
  const { slug: org, may } = useOrganization();
  const navigate = useNavigate();
  const [dropped, setDropped] = useState<Dropped>();
  const [isRepository, setRepository] = useState(false);
  const [step, setStep] = useState<Step>();
  const form = useApiForm({
    values: { slug: '', repository: '' },
    submit: async ({ slug }) => {
      const { projectId } = await api.post('/v1/projects', { body: { slug } });
      try {
        return dropped && (await publish(projectId, dropped, setStep));
      } catch (error) {
        // The site exists now, so a retry only publishes to it.
        form.isSaved.current = true;
        await refresh();
        await navigate({ to: '/$org/$domain/publish', params: { org, domain: slug } });
        throw error;
      } finally {
        setStep(undefined);
      }
    },
    onDone: async (id, { slug: domain, repository: connect }) => {
      await refresh();
      if (isRepository)
        await navigate({ to: '/$org/$domain/git', params: { org, domain }, search: { connect } });
      else if (id === undefined) await navigate({ to: '/$org/$domain', params: { org, domain } });
      else await navigate({ to: '/$org/$domain/deployments/$id', params: { org, domain, id } });
    },
  });
  const slug = form.watch('slug');
  const suggestSlug = (name: string) => {
    if (!form.formState.dirtyFields.slug) form.setValue('slug', slugOf(name));
  };
  const onDropped = (next: Dropped) => {
    setDropped(next);
    suggestSlug(next.kind === 'archive' ? next.file.name : next.name);
  };
  if (!may('editor')) return <Notice>Your role can read sites. Editors can create them.</Notice>;
  return (
    <Page
      title="New site"
      about="Drop the documentation here, connect its repository, or create the site first and publish to it from a terminal."
    >
      <Form
        form={form}
        action={dropped ? 'Publish' : isRepository ? 'Create site and continue' : 'Create site'}
        className="max-w-3xl gap-6"
        secondary={
          step !== undefined && (
            <span role="status" className="text-muted">
              {STEPS[step]} …
            </span>
          )
        }
      >
        {dropped ? (
          <Card className="flex items-center justify-between gap-4 px-4 py-3">
            <span>
              <span className="font-medium">
                {dropped.kind === 'archive' ? dropped.file.name : dropped.name}
              </span>
              {dropped.kind === 'folder' && (
                <span className="ml-2 text-muted">{dropped.files.length} files</span>
              )}
            </span>
            <Button size="sm" disabled={step !== undefined} onClick={() => setDropped(undefined)}>
              Choose another
            </Button>
          </Card>
        ) : isRepository ? (
          <div className="flex items-end gap-2 *:first:flex-1">
            <TextField
              label="Repository"
              placeholder="https://github.com/acme/docs"
              required
              autoFocus
              spellCheck={false}
              {...form.field('repository', {
                onChange: ({ target }) => suggestSlug(repositoryName(target.value)),
              })}
            />
            <Button onClick={() => setRepository(false)}>Drop files instead</Button>
          </div>
        ) : (
          <>
            <DropZone step={step} failure={undefined} onDropped={onDropped} />
            <div className="flex flex-wrap items-center gap-x-6 gap-y-2 text-muted">
              {may('admin') && (
                <span className="flex items-center gap-2">
                  Is it in a Git repository?
                  <Button size="sm" icon="git-branch" onClick={() => setRepository(true)}>
                    Connect it
                  </Button>
                </span>
              )}
              <span className="flex items-center gap-2">
                No documentation yet?
                <Button size="sm" icon="sparkles" onClick={() => onDropped(sampleSource())}>
                  Use the sample
                </Button>
              </span>
            </div>
          </>
        )}
        <TextField
          label="Identifier"
          placeholder="acme"
          hint="Lower-case letters, digits and hyphens. It is part of the address of the site."
          required
          spellCheck={false}
          {...form.field('slug')}
        />
      </Form>
      <div className="mt-8 max-w-3xl">
        <Commands slug={slug || 'acme'} />
      </div>
    </Page>
  );
}

/**
 * Commands to publish by CLI and by API, with a key created on the spot if the user may create one.
 */
function Commands({ slug }: { slug: string }) {
  const origin = window.location.origin;
  const { may } = useOrganization();
  const create = useAction({
    run: () =>
      api.post('/v1/keys', {
        body: { kind: 'admin', name: `Publish ${slug}`.slice(0, 100), scopes: ['read', 'write'] },
      }),
    failed: 'The key could not be created',
  });
  const key = create.data?.key ?? 'svc_…';
  return (
    <Card
      title="From a terminal or a pipeline"
      about={
        create.data
          ? 'The key in the commands is shown only once. It expires in 90 days.'
          : 'Needs an admin key with write access.'
      }
      action={
        may('admin') &&
        !create.data && (
          <Button icon="key-round" isBusy={create.isPending} onClick={() => create.mutate()}>
            Create a key for it
          </Button>
        )
      }
      isPadded
    >
      <div className="flex flex-col gap-3">
        <CommandHelp />
        <CodeBlock
          label="Copy command"
          code={`DOCENT_URL=${origin} DOCENT_API_KEY=${key} docent publish docs --site ${slug}`}
        />
        <CodeBlock
          label="Copy command"
          code={`tar -czf docs.tar.gz -C docs .\ncurl -X PUT ${origin}/v1/project/${slug}/source \\\n  -H 'Authorization: Bearer ${key}' \\\n  -H 'Content-Type: application/gzip' \\\n  --data-binary @docs.tar.gz`}
        />
      </div>
    </Card>
  );
}

/**
 * Packs the dropped files and uploads them as the source of a site, or of one of its previews.
 * @returns the deployment that builds it
 * @throws ApiError, or an Error if the files cannot be read
 */
export async function publish(
  projectId: string,
  dropped: Dropped,
  onStep: (step: Step) => void,
  preview?: string,
): Promise<string> {
  onStep('packing');
  const archive = dropped.kind === 'archive' ? dropped.file : await packTarGz(dropped.files);
  onStep('uploading');
  const headers = { 'content-type': 'application/gzip' };
  const query = preview === undefined ? '' : `?${new URLSearchParams({ preview })}`;
  const response = await request(`/v1/project/${projectId}/source${query}`, {
    method: 'PUT',
    headers,
    body: archive,
  });
  return ((await response.json()) as Schema<'StartedBuild'>).statusId;
}

/** Progress of a publish. */
export const STEPS = { packing: 'Packing the folder', uploading: 'Uploading' };
export type Step = keyof typeof STEPS;

interface DropZoneProps {
  /** Current step of the upload; nothing can be dropped meanwhile. */
  step: Step | undefined;
  /** Why it failed. */
  failure: ReactNode;
  onDropped: (dropped: Dropped) => void;
}

/** An area to drop a folder or an archive on, or to choose one. */
export function DropZone({ step, failure, onDropped }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const [fault, setFault] = useState<string>();
  const archive = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = async (read: () => Promise<Dropped>) => {
    setFault(undefined);
    try {
      onDropped(await read());
    } catch (error) {
      setFault(messageOf(error));
    }
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (step === undefined) void take(() => readDrop(event.dataTransfer));
  };
  const problem = fault ?? failure;
  return (
    <div className="flex flex-col gap-3">
      <section
        aria-label="Drop a folder or an archive"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={cx(
          'flex flex-col items-center rounded-lg border border-dashed px-6 py-12 text-center transition-colors',
          isOver ? 'border-accent-text bg-accent-soft' : 'border-line-strong',
        )}
      >
        <Icon name="upload" size={24} className="mb-3 text-muted" />
        {step !== undefined ? (
          <p role="status" className="font-medium">
            {STEPS[step]} …
          </p>
        ) : (
          <>
            <p className="font-medium">Drop a folder, or a .tar.gz or .zip archive</p>
            <p className="mt-1 max-w-md text-muted">
              A folder of Markdown, or a repository with a docs.json in it. node_modules and .git
              are skipped.
            </p>
            <div className="mt-5 flex flex-wrap justify-center gap-2">
              <Button icon="folder-open" onClick={() => folder.current?.click()}>
                Choose folder
              </Button>
              <Button icon="package" onClick={() => archive.current?.click()}>
                Choose archive
              </Button>
            </div>
          </>
        )}
        <FileInput
          input={archive}
          label="Archive"
          onChosen={(files) => take(() => readChosen(files))}
        />
        <FileInput
          input={folder}
          label="Folder"
          isFolder
          onChosen={(files) => take(() => readChosen(files))}
        />
      </section>
      {problem !== undefined && <Notice tone="danger">{problem}</Notice>}
    </div>
  );
}

interface FileInputProps {
  input: RefObject<HTMLInputElement | null>;
  label: string;
  isFolder?: boolean;
  onChosen: (files: FileList) => Promise<void>;
}

function FileInput({ input, label, isFolder = false, onChosen }: FileInputProps) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      aria-label={label}
      {...(isFolder
        ? { webkitdirectory: '' }
        : { accept: '.tar.gz,.tgz,.zip,application/gzip,application/zip' })}
      onChange={async ({ target }) => {
        if (target.files) await onChosen(target.files);
        // Allows the same file to be chosen again.
        target.value = '';
      }}
    />
  );
}
