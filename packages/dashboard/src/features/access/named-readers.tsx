import { useInfiniteQuery } from '@tanstack/react-query';
import { api, type Schema } from '../../api/client.ts';
import { pagedQuery, refresh, useSite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { confirmAction } from '../../ui/overlays/dialog.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { EmptyState, Section } from '../../ui/page.tsx';
import { type Column, List, timeColumn } from '../../ui/table.tsx';

type Reader = Schema<'SiteReader'>;

const READERS = '/v1/projects/{projectId}/readers';

/** The email addresses and domains that a site names, with their groups. */
export function NamedReaders() {
  const { projectId } = useSite();
  const params = { path: { projectId } };
  const query = useInfiniteQuery(
    pagedQuery(
      ['site-readers', projectId],
      { limit: 50 },
      (page) => api.get(READERS, { ...params, query: page }),
      (parts) => parts.flatMap(({ items }) => items),
    ),
  );
  const form = useApiForm({
    values: { address: '', groups: '' },
    submit: ({ address, groups }) =>
      api.post(READERS, { ...params, body: { address: address.trim(), groups: groupsIn(groups) } }),
    onDone: ({ address }) => {
      form.reset();
      notify(`${address} is named`);
      return refresh();
    },
  });
  const remove = ({ id, address }: Reader) =>
    confirmAction({
      title: `Remove ${address}`,
      text: 'Its groups end, and readers who got a link by mail only because of it are signed out.',
      action: 'Remove',
      run: () => api.delete(`${READERS}/{readerId}`, { path: { projectId, readerId: id } }),
      done: 'The reader is removed',
      failed: 'The reader could not be removed',
    });
  const columns: Column<Reader>[] = [
    { title: 'Address or domain', cell: ({ address }) => address },
    { title: 'Groups', cell: ({ groups }) => groups.join(', ') },
    timeColumn('Added', 'createdAt', true),
    {
      title: '(Actions)',
      cell: (reader) => (
        <Button size="sm" aria-label={`Remove ${reader.address}`} onClick={() => remove(reader)}>
          Remove
        </Button>
      ),
    },
  ];
  const empty = (
    <EmptyState icon="users" title="No readers are named">
      They can sign in with links by mail, and have the groups that you give them. Members of the
      organization have the groups of their email address too.
    </EmptyState>
  );
  return (
    <Section title="Named readers">
      <Form form={form} action="Add" className="mb-4 max-w-96">
        <TextField
          label="Email address or domain"
          placeholder="ada@acme.com or acme.com"
          required
          {...form.field('address')}
        />
        <TextField label="Groups" hint="Separated by commas. Optional." {...form.field('groups')} />
      </Form>
      <List
        label="Named readers"
        columns={columns}
        query={query}
        keyOf={({ id }) => id}
        empty={empty}
      />
    </Section>
  );
}

/** Returns the names in a text with commas between them. */
export const groupsIn = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
