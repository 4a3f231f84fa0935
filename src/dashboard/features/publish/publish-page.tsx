import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf, messageOf, send } from '../../api/client.ts';
import { useOrganisation, useSite } from '../../api/current.ts';
import { keysQuery, refresh, sitesQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { useAction } from '../../ui/overlays/notify.ts';
import { Card, Notice, Page } from '../../ui/page.tsx';
import { DropZone, STEPS, type Step } from './drop-zone.tsx';
import type { Dropped } from './read-drop.ts';
import { sampleSource } from './sample.ts';
import { packTarGz } from './tar.ts';

/** Publishes a new source of a site: by dropping it, or by a command. */
export function PublishPage() {
  const { slug: org } = useOrganisation();
  const site = useSite();
  const navigate = useNavigate();
  const [step, setStep] = useState<Step>();
  const upload = useMutation({
    mutationFn: (dropped: Dropped) => publish(site.projectId, dropped, setStep),
    onSuccess: async (id) => {
      await refresh(sitesQuery(org));
      return navigate({ to: '/$org/$domain/deployments/$id', params: { org, domain: site.slug, id } });
    },
    onSettled: () => setStep(undefined),
  });
  return (
    <Page
      title="Publish"
      about={`A new version of ${site.name}. Readers see it once it is built; until then the current version stays live.`}
    >
      <div className="flex max-w-3xl flex-col gap-6">
        <DropZone
          step={step}
          failure={upload.error ? messageOf(upload.error) : undefined}
          onDropped={(dropped) => upload.mutate(dropped)}
        />
        <Commands slug={site.slug} />
      </div>
    </Page>
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

/** Creates a site, and publishes the dropped files to it. */
export function NewSitePage() {
  const { slug: org, may } = useOrganisation();
  const navigate = useNavigate();
  const [dropped, setDropped] = useState<Dropped>();
  const [step, setStep] = useState<Step>();
  const form = useApiForm({
    values: { slug: '' },
    submit: async ({ slug }) => {
      const { projectId } = await bodyOf(api.POST('/v1/projects', { body: { slug } }));
      try {
        return dropped && (await publish(projectId, dropped, setStep));
      } catch (error) {
        // The site exists now, so a retry only publishes to it.
        await refresh(sitesQuery(org));
        await navigate({ to: '/$org/$domain/publish', params: { org, domain: slug } });
        throw error;
      } finally {
        setStep(undefined);
      }
    },
    onDone: async (id, { slug: domain }) => {
      await refresh(sitesQuery(org));
      if (id === undefined) await navigate({ to: '/$org/$domain', params: { org, domain } });
      else await navigate({ to: '/$org/$domain/deployments/$id', params: { org, domain, id } });
    },
  });
  const slug = form.watch('slug');
  const onDropped = (next: Dropped) => {
    setDropped(next);
    if (slug === '') form.setValue('slug', slugOf(next.kind === 'archive' ? next.file.name : next.name));
  };
  if (!may('editor')) return <Notice>Your role can read sites. Editors can create them.</Notice>;
  return (
    <Page
      title="New site"
      about="Drop the documentation here, start with the sample, or create the site first and publish to it from a terminal."
    >
      <Form
        form={form}
        action={dropped ? 'Publish' : 'Create site'}
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
              <span className="font-medium">{dropped.kind === 'archive' ? dropped.file.name : dropped.name}</span>
              {dropped.kind === 'folder' && <span className="ml-2 text-muted">{dropped.files.length} files</span>}
            </span>
            <Button size="sm" disabled={step !== undefined} onClick={() => setDropped(undefined)}>
              Choose another
            </Button>
          </Card>
        ) : (
          <>
            <DropZone step={step} failure={undefined} onDropped={onDropped} />
            <p className="text-muted">
              No documentation yet?{' '}
              <Button size="sm" icon="sparkles" onClick={() => onDropped(sampleSource())}>
                Use the sample
              </Button>
            </p>
          </>
        )}
        <TextField
          label="Identifier"
          placeholder="acme"
          hint="Lower-case letters, digits and hyphens. It is part of the address of the site."
          required
          autoComplete="off"
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

/** Commands to publish by CLI and by API, with a key created on the spot if the user may create one. */
function Commands({ slug }: { slug: string }) {
  const origin = window.location.origin;
  const { slug: org, may } = useOrganisation();
  const create = useAction({
    run: () =>
      bodyOf(api.POST('/v1/keys', { body: { kind: 'admin', name: `Publish ${slug}`.slice(0, 100), scopes: ['read', 'write'] } })),
    failed: 'The key could not be created',
    changes: [keysQuery(org)],
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
        <CodeBlock label="Copy command" code={`DOCENT_URL=${origin} DOCENT_API_KEY=${key} docent publish docs --site ${slug}`} />
        <CodeBlock
          label="Copy command"
          code={`tar -czf docs.tar.gz -C docs .\ncurl -X PUT ${origin}/v1/project/${slug}/source \\\n  -H 'Authorization: Bearer ${key}' \\\n  -H 'Content-Type: application/gzip' \\\n  --data-binary @docs.tar.gz`}
        />
      </div>
    </Card>
  );
}

/**
 * Packs the dropped files and uploads them as the source of a site.
 * @returns the deployment that builds it
 * @throws ApiError, or an Error if the files cannot be read
 */
async function publish(projectId: string, dropped: Dropped, onStep: (step: Step) => void): Promise<string> {
  onStep('packing');
  const archive = dropped.kind === 'archive' ? dropped.file : await packTarGz(dropped.files);
  onStep('uploading');
  const path = `/v1/project/${projectId}/source`;
  const { statusId } = await send<{ statusId: string }>('PUT', path, archive);
  return statusId;
}
