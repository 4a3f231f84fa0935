import { type Site, useOrganisation, useSite } from '../../api/current.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { DeleteSite } from './delete-site.tsx';
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
