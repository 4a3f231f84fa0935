import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { useOrganisation } from '../../api/current.ts';
import { sessionQuery } from '../../api/session.ts';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';

/** Creates another organization with its own sites, members and keys. */
export function NewOrganisationPage() {
  const { name, may } = useOrganisation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useApiForm({
    values: { name: '', slug: '' },
    submit: (values) =>
      bodyOf(
        api.POST('/v1/organisations', {
          body: { name: values.name.trim(), ...(values.slug !== '' && { slug: values.slug }) },
        }),
      ),
    onDone: async ({ slug }) => {
      await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: '/$org', params: { org: slug } });
    },
  });
  return (
    <Page title="New organization" about="Has its own sites, members and keys, which other organizations cannot see">
      {may('owner') ? (
        <Card className="max-w-xl" isPadded>
          <Form form={form} action="Create organization">
            <TextField label="Name" required {...form.field('name')} />
            <TextField
              label="Identifier"
              hint="Part of the dashboard's address. Empty: derived from the name."
              {...form.field('slug')}
            />
          </Form>
        </Card>
      ) : (
        <Notice>Only owners of {name} create further organizations. Ask one of them.</Notice>
      )}
    </Page>
  );
}
