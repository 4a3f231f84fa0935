import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { type Site, sitesQuery, useOrganisation } from '../../api/current.ts';
import { DeleteCard } from '../../ui/delete-card.tsx';
import { notify } from '../../ui/overlays/notify.ts';

/** Deletes a site with everything in it. */
export function DeleteSite({ site: { projectId, slug, name } }: { site: Site }) {
  const { slug: org } = useOrganisation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await api.DELETE('/v1/projects/{projectId}', { params: { path: { projectId }, query: { confirm: slug } } });
    await navigate({ to: '/$org', params: { org } });
    await queries.invalidateQueries(sitesQuery(org));
    notify(`${name} is deleted`);
  };
  return (
    <DeleteCard kind="site" name={name} identifier={slug} remove={remove}>
      Deployments, uploads, exports, conversations, assistant keys and hostnames are deleted with it. Readers can no longer open
      the site. You cannot undo this.
    </DeleteCard>
  );
}
