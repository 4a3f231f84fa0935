import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { type Site, sitesQuery, useOrganisation, useSite } from '../../api/current.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { DeleteCard } from '../../ui/delete-card.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { Card, Page } from '../../ui/page.tsx';
import { GeneralCard } from './general-card.tsx';
import { HostnamesCard } from './hostnames-card.tsx';
import { StreamsCard } from './streams-card.tsx';

/** The settings of a site. */
export function SettingsPage() {
  const site = useSite() as Site;
  const { may } = useOrganisation();
  const origin = window.location.origin;
  return (
    <Page title="Settings" about="Name, addresses and embed code">
      <div className="flex flex-col gap-6">
        <GeneralCard site={site} />
        <HostnamesCard site={site} />
        <Card
          title="Assistant on other pages"
          about="Adds the assistant of this site to any page. Use an assistant key of this site."
          isPadded
        >
          <CodeBlock
            label="Copy code"
            code={`<script src="${origin}/widget.js" data-domain="${site.slug}" data-key="svc_dsc_…" defer></script>`}
          />
        </Card>
        <Card
          title="MCP"
          about="Tools that support the Model Context Protocol can search and read the pages of this site here."
          isPadded
        >
          <CodeBlock label="Copy address" code={`${site.url}/mcp`} />
        </Card>
        {may('admin') && <StreamsCard site={site} />}
        {may('admin') && <DeleteSite site={site} />}
      </div>
    </Page>
  );
}

/** Deletes a site with everything in it. */
function DeleteSite({ site: { projectId, slug, name } }: { site: Site }) {
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
