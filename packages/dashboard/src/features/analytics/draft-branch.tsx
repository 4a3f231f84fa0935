import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { useOrganization } from '../../api/queries.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { Notice } from '../../ui/page.tsx';

interface BranchProps {
  projectId: string;
  draft: Pick<Schema<'PageDraft'>, 'fileName' | 'content'>;
}

/** Adds a draft to the repository of the site, for those who may: admins, of a site with one. */
export function DraftBranch(props: BranchProps) {
  const { may } = useOrganization();
  const { projectId } = props;
  const { data } = useQuery({
    queryKey: ['git-sources', projectId],
    queryFn: () => api.get('/v1/projects/{projectId}/sources', { path: { projectId } }),
    enabled: may('admin'),
  });
  const sources = data?.items.filter(({ credentials }) => credentials.kind !== 'none') ?? [];
  return sources[0] ? <BranchForm {...props} sources={sources} first={sources[0].id} /> : null;
}

function BranchForm({
  projectId,
  draft,
  sources,
  first,
}: BranchProps & { sources: Schema<'GitSource'>[]; first: string }) {
  const [result, setResult] = useState<Schema<'DraftBranch'>>();
  const form = useApiForm({
    values: { path: draft.fileName, sourceId: first, pullRequest: false },
    submit: (values) =>
      api.post('/v1/projects/{projectId}/drafts', {
        path: { projectId },
        body: { ...values, content: draft.content },
      }),
    onDone: setResult,
  });
  if (result) return <DraftPlace result={result} />;
  return (
    <Form form={form} action="Add to the repository">
      {sources.length > 1 && (
        <SelectField
          label="Repository"
          options={Object.fromEntries(sources.map(({ id, name }) => [id, name]))}
          {...form.field('sourceId')}
        />
      )}
      <TextField
        label="Path of the new file"
        hint="From the folder of the documentation. It is added on a new branch, and nothing is published."
        required
        {...form.field('path')}
      />
      <CheckField label="Open a pull request" {...form.field('pullRequest')} />
    </Form>
  );
}

function DraftPlace({ result }: { result: Schema<'DraftBranch'> }) {
  const { branch, file, pullRequest, pullRequestError } = result;
  const number = pullRequest && `pull request ${pullRequest.number}`;
  return (
    <>
      <Notice tone="success">
        Added <code>{file}</code> on the branch <code className="break-all">{branch}</code>
        {pullRequest && ', with '}
        {pullRequest?.url ? (
          <a href={pullRequest.url} target="_blank" rel="noreferrer" className="underline">
            {number}
          </a>
        ) : (
          number
        )}
        .
      </Notice>
      {pullRequestError !== null && (
        <Notice tone="warning">No pull request could be opened. {pullRequestError}</Notice>
      )}
    </>
  );
}
