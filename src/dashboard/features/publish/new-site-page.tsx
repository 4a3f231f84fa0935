import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { sitesQuery, useOrganisation } from '../../api/current.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Commands } from './commands.tsx';
import { DropZone } from './drop-zone.tsx';
import { publish, type Step } from './publish.ts';
import type { Dropped } from './read-drop.ts';
import { sampleSource } from './sample.ts';

/** Converts `My Docs` to the valid identifier `my-docs`. */
export function slugOf(name: string): string {
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
  const queries = useQueryClient();
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
        await queries.invalidateQueries(sitesQuery(org));
        await navigate({ to: '/$org/$domain/publish', params: { org, domain: slug } });
        throw error;
      } finally {
        setStep(undefined);
      }
    },
    onDone: async (id, { slug: domain }) => {
      await queries.invalidateQueries(sitesQuery(org));
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
              {step === 'packing' ? 'Packing the folder …' : 'Uploading …'}
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
