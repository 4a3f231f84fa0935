import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { type Site, sitesQuery, useOrganisation } from '../../api/current.ts';
import { CheckField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { Card } from '../../ui/page.tsx';

/** Name, identifier, search engines. */
export function GeneralCard({ site }: { site: Site }) {
  const { slug: org, may } = useOrganisation();
  const queries = useQueryClient();
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
      await queries.invalidateQueries(sitesQuery(org));
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
