import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { useOrganisation, useSite } from '../../api/current.ts';
import { refresh, type Site, sitesQuery } from '../../api/queries.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { DeleteCard } from '../../ui/delete-card.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { Card, Page } from '../../ui/page.tsx';
import { HostnamesCard } from './hostnames-card.tsx';
import { StreamsCard } from './streams-card.tsx';

/** The settings of a site. */
export function SettingsPage() {
  const site = useSite();
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

/** Name, identifier, search engines. */
function GeneralCard({ site }: { site: Site }) {
  const { slug: org, may } = useOrganisation();
  const navigate = useNavigate();
  const { projectId } = site;
  const form = useApiForm({
    values: { name: site.name, slug: site.slug, noindex: site.settings.noindex },
    submit: ({ name, slug, noindex }) =>
      bodyOf(
        api.PATCH('/v1/projects/{projectId}', {
          params: { path: { projectId } },
          body: {
            ...(name !== site.name && { name: name.trim() || null }),
            ...(slug !== site.slug && { slug }),
            settings: { noindex },
          },
        }),
      ),
    onDone: async ({ name, slug, settings }) => {
      await refresh(sitesQuery(org));
      form.reset({ name, slug, noindex: settings.noindex });
      notify('Settings saved');
      if (slug !== site.slug) await navigate({ to: '/$org/$domain/settings', params: { org, domain: slug }, replace: true });
    },
  });
  return (
    <Card title="General" isPadded>
      <Form form={form} action="Save changes" lacks={may('admin') ? undefined : 'Admins'} isSettings>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Name" hint="Empty: the name in docs.json." {...form.field('name')} />
          <TextField
            label="Identifier"
            hint="Part of the address. The previous address redirects to the new one."
            required
            {...form.field('slug')}
          />
        </div>
        <CheckField label="Hide from search engines" hint="Asks them not to index the site." {...form.field('noindex')} />
      </Form>
    </Card>
  );
}

/** Deletes a site with everything in it. */
function DeleteSite({ site: { projectId, slug, name } }: { site: Site }) {
  const { slug: org } = useOrganisation();
  const navigate = useNavigate();
  const remove = async () => {
    await api.DELETE('/v1/projects/{projectId}', { params: { path: { projectId }, query: { confirm: slug } } });
    await navigate({ to: '/$org', params: { org } });
    await refresh(sitesQuery(org));
    notify(`${name} is deleted`);
  };
  return (
    <DeleteCard kind="site" name={name} identifier={slug} remove={remove}>
      Deployments, uploads, exports, conversations, assistant keys and hostnames are deleted with it. Readers can no longer open
      the site. You cannot undo this.
    </DeleteCard>
  );
}
