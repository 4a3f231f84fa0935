import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { refresh, useOrganization, useSite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { Card, Notice, Page } from '../../ui/page.tsx';
import { AccessFields, accessOf, LIFETIME_DAYS } from '../../ui/preview-access.tsx';
import { DropZone, publish, STEPS, type Step } from './publish-page.tsx';
import type { Dropped } from './read-drop.ts';

/**
 * Creates a preview from dropped files, or from the source that is live, and sets who can read it.
 */
export function NewPreviewPage() {
  const { slug: org, may } = useOrganization();
  const site = useSite();
  const { projectId, slug: domain } = site;
  const navigate = useNavigate();
  const [dropped, setDropped] = useState<Dropped>();
  const [usesCurrent, setUsesCurrent] = useState(false);
  const [step, setStep] = useState<Step>();
  const hasSource = dropped !== undefined || usesCurrent;
  const form = useApiForm({
    values: { branch: '', readers: 'everyone', password: '', lifetimeDays: LIFETIME_DAYS },
    submit: async ({ branch: typed, ...access }) => {
      if (!hasSource)
        throw new Error('Drop a folder or an archive, or use the last source of the site.');
      const branch = typed.trim();
      const path = { projectId };
      await api.post('/v1/projects/{projectId}/previews', {
        path,
        body: { branch, ...accessOf(access) },
      });
      try {
        if (dropped) return await publish(projectId, dropped, setStep, branch);
        return (await api.post('/v1/project/preview/{projectId}', { path, body: { branch } }))
          .statusId;
      } finally {
        setStep(undefined);
      }
    },
    onDone: async (id) => {
      await refresh();
      await navigate({ to: '/$org/$domain/deployments/$id', params: { org, domain, id } });
    },
  });
  if (!may('editor')) return <Notice>Your role can read previews. Editors can create them.</Notice>;
  const name = dropped?.kind === 'archive' ? dropped.file.name : dropped?.name;
  return (
    <Page
      title="New preview"
      about="Shows a version at its own address. The live site does not change."
    >
      <Form
        form={form}
        action="Create preview"
        className="max-w-3xl gap-6"
        secondary={
          step !== undefined && (
            <span role="status" className="text-muted">
              {STEPS[step]} …
            </span>
          )
        }
      >
        {hasSource ? (
          <Card className="flex items-center justify-between gap-4 px-4 py-3">
            <span className="font-medium">{name ?? 'The last source of the site'}</span>
            <Button
              size="sm"
              disabled={step !== undefined}
              onClick={() => {
                setDropped(undefined);
                setUsesCurrent(false);
              }}
            >
              Choose another
            </Button>
          </Card>
        ) : (
          <>
            <DropZone step={step} failure={undefined} onDropped={setDropped} />
            {site.live !== null && (
              <p className="text-muted">
                Nothing to upload?{' '}
                <Button size="sm" onClick={() => setUsesCurrent(true)}>
                  Use the last source of the site
                </Button>
              </p>
            )}
          </>
        )}
        <TextField
          label="Branch or name"
          hint="The address of the preview is derived from it. The same branch again changes that preview."
          required
          maxLength={250}
          spellCheck={false}
          {...form.field('branch')}
        />
        <AccessFields form={form} readers={form.watch('readers')} />
      </Form>
    </Page>
  );
}
