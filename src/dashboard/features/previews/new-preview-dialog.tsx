import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { type Site, useOrganisation } from '../../api/current.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

interface NewPreviewProps {
  site: Site;
  isOpen: boolean;
  onClose: () => void;
}

/** Builds a preview from the most recently uploaded source; the page of its deployment follows the build. */
export function NewPreviewDialog({ site, isOpen, onClose }: NewPreviewProps) {
  return (
    <Dialog title="Create preview" isOpen={isOpen} onClose={onClose}>
      <NewPreviewForm site={site} onClose={onClose} />
    </Dialog>
  );
}

function NewPreviewForm({ site: { projectId, slug }, onClose }: Omit<NewPreviewProps, 'isOpen'>) {
  const { slug: org } = useOrganisation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useApiForm({
    values: { branch: '' },
    submit: ({ branch }) =>
      bodyOf(api.POST('/v1/project/preview/{projectId}', { params: { path: { projectId } }, body: { branch: branch.trim() } })),
    onDone: async ({ statusId: id }) => {
      await queries.invalidateQueries(previewsQuery(org, projectId));
      await navigate({ to: '/$org/$domain/deployments/$id', params: { org, domain: slug, id } });
    },
  });
  return (
    <Form form={form} action="Create preview" secondary={<Button onClick={onClose}>Cancel</Button>}>
      <TextField
        label="Branch"
        hint="Sets the name and the address of the preview. It is built from the last source uploaded for this branch, or from the last source of the site."
        required
        maxLength={250}
        autoComplete="off"
        spellCheck={false}
        {...form.field('branch')}
      />
    </Form>
  );
}

const POLL_MS = 2000;

/** Whether a preview is about to change. */
export function isBuilding({ lastDeployment }: Schema<'Preview'>): boolean {
  return lastDeployment?.status === 'queued' || lastDeployment?.status === 'in_progress';
}

/** The previews of a site, newest first; refetched while one is being built. */
export function previewsQuery(org: string, projectId: string) {
  return infiniteQueryOptions({
    queryKey: [org, 'previews', projectId],
    queryFn: ({ pageParam }) => {
      const query = { limit: 100, ...(pageParam !== null && { cursor: pageParam }) };
      return bodyOf(api.GET('/v1/projects/{projectId}/previews', { params: { path: { projectId }, query } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.pages.some(({ items }) => items.some(isBuilding)) && POLL_MS,
  });
}
