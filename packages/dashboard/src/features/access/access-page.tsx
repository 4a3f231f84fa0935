import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { pagedQuery, refresh, useOrganization, useSite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { confirmAction, Dialog } from '../../ui/overlays/dialog.tsx';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import { Card, EmptyState, Loaded, Page, Section } from '../../ui/page.tsx';
import { type Column, List, Table, timeColumn } from '../../ui/table.tsx';
import { type State, Status } from '../../ui/values.tsx';
import { ACCESS, METHODS, type Method, MethodForm } from './method-forms.tsx';
import { groupsIn, NamedReaders } from './named-readers.tsx';
import { SignInTrial } from './sign-in-trial.tsx';

type Access = Schema<'SiteAccess'>;
type Session = Schema<'ReaderSession'>;

const METHOD_NAMES = Object.keys(METHODS) as Method[];
const SESSIONS = '/v1/projects/{projectId}/reader-sessions';

/** Who may read a site, how readers sign in, and who is signed in. */
export function AccessPage() {
  const { projectId } = useSite();
  const { may } = useOrganization();
  const query = useQuery({
    queryKey: ['site-access', projectId],
    queryFn: () => api.get(ACCESS, { path: { projectId } }),
  });
  return (
    <Page title="Access" about="Who may read the site, and how readers sign in">
      <Loaded query={query}>
        {(access) => (
          <div className="flex flex-col gap-8">
            <VisibilityCard access={access} />
            <Methods access={access} />
            {may('admin') && METHOD_NAMES.some((name) => access[name]) && <ViewAsReader />}
            {may('admin') && <NamedReaders />}
            {may('admin') && <Sessions />}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function VisibilityCard({ access }: { access: Access }) {
  const { projectId } = useSite();
  const { may } = useOrganization();
  const isPrivate = access.visibility === 'private';
  const hasMethod = METHOD_NAMES.some((name) => access[name]);
  const change = useAction({
    run: (visibility: Access['visibility']) =>
      api.patch(ACCESS, { path: { projectId }, body: { visibility } }),
    done: (_, visibility) => {
      void refresh();
      notify(visibility === 'private' ? 'The site is private' : 'Everyone can read the site');
    },
    failed: 'The access could not be changed',
  });
  const open = () =>
    confirmAction({
      title: 'Let everyone read the site',
      text: 'All of its pages are public at once, except those with groups. The ways to sign in are kept.',
      action: 'Make public',
      run: async () => void (await change.mutateAsync('public')),
      failed: 'The access could not be changed',
    });
  const state: State = isPrivate ? ['Private', 'success'] : ['Public', 'neutral'];
  return (
    <Card title="Who may read" isPadded>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="flex flex-col gap-1 text-s">
          <Status state={state} />
          <p className="text-muted">
            {isPrivate
              ? `Readers sign in first, and stay signed in for ${access.sessionDays} days.`
              : 'Everyone who can reach the server.'}
            {!isPrivate && !hasMethod && ' To make it private, set up a way to sign in first.'}
          </p>
        </div>
        {may('admin') && (
          <Button
            isBusy={change.isPending}
            disabled={!isPrivate && !hasMethod}
            onClick={() => (isPrivate ? open() : change.mutate('private'))}
          >
            {isPrivate ? 'Make public' : 'Make private'}
          </Button>
        )}
      </div>
      {isPrivate && may('admin') && <SessionLength access={access} />}
    </Card>
  );
}

function SessionLength({ access: { sessionDays } }: { access: Access }) {
  const { projectId } = useSite();
  const form = useApiForm({
    values: { sessionDays },
    submit: (body) => api.patch(ACCESS, { path: { projectId }, body }),
    onDone: (next) => {
      form.reset({ sessionDays: next.sessionDays });
      notify('Settings saved');
      return refresh();
    },
  });
  return (
    <Form form={form} action="Save" className="mt-4 max-w-48">
      <TextField
        label="Days signed in"
        type="number"
        min={1}
        max={90}
        required
        hint="For sign-ins from now on."
        {...form.field('sessionDays', { valueAsNumber: true })}
      />
    </Form>
  );
}

function Methods({ access }: { access: Access }) {
  const { projectId } = useSite();
  const { may } = useOrganization();
  const [method, setMethod] = useState<Method>();
  const isSet = (name: Method) => access[name] !== null;
  const remove = (name: Method) =>
    confirmAction({
      title: `End the sign-in with ${METHODS[name].title}`,
      text: 'Its settings are deleted, and readers who signed in with it have to sign in again.',
      action: 'End sign-in',
      run: () => api.patch(ACCESS, { path: { projectId }, body: { [name]: null } }),
      done: 'The way to sign in has ended',
      failed: 'The way to sign in could not be ended',
    });
  const columns: Column<Method>[] = [
    {
      title: 'Way',
      cell: (name) => (
        <>
          <span className="font-medium">{METHODS[name].title}</span>
          <p className="text-muted">
            {(isSet(name) ? METHODS[name].place?.(access) : undefined) ?? METHODS[name].about}
          </p>
        </>
      ),
    },
    {
      title: 'State',
      isNarrow: true,
      cell: (name) => <Status state={isSet(name) ? ['On', 'success'] : ['Off', 'neutral']} />,
    },
    {
      title: '(Actions)',
      cell: (name) =>
        may('admin') && (
          <span className="flex justify-end gap-1">
            <Button
              size="sm"
              aria-label={`${isSet(name) ? 'Change' : 'Set up'} ${METHODS[name].title}`}
              onClick={() => setMethod(name)}
            >
              {isSet(name) ? 'Change' : 'Set up'}
            </Button>
            {isSet(name) && (
              <Button
                size="sm"
                aria-label={`End ${METHODS[name].title}`}
                onClick={() => remove(name)}
              >
                End
              </Button>
            )}
          </span>
        ),
    },
  ];
  return (
    <Section title="Ways to sign in">
      <Table label="Ways to sign in" columns={columns} rows={METHOD_NAMES} keyOf={(name) => name} />
      {may('admin') && METHOD_NAMES.some(isSet) && <SignInTrial addresses={access.addresses} />}
      <Dialog
        title={method ? METHODS[method].title : ''}
        isOpen={method !== undefined}
        onClose={() => setMethod(undefined)}
      >
        {method && (
          <MethodForm
            method={method}
            access={access}
            projectId={projectId}
            onDone={() => setMethod(undefined)}
          />
        )}
      </Dialog>
    </Section>
  );
}

/** Opens the site as its readers of some groups see it. */
function ViewAsReader() {
  const { projectId } = useSite();
  const form = useApiForm({
    values: { groups: '' },
    submit: ({ groups }) =>
      api.post(`${ACCESS}/views`, {
        path: { projectId },
        body: { groups: groupsIn(groups), path: '/' },
      }),
    onDone: ({ url }) => location.assign(url),
  });
  return (
    <Section title="View as a reader">
      <Form form={form} action="Open the site" className="max-w-96">
        <TextField
          label="Groups of the reader"
          hint="Separated by commas. A bar on the site ends the view; it ends by itself after 30 minutes."
          {...form.field('groups')}
        />
      </Form>
    </Section>
  );
}

function Sessions() {
  const { projectId } = useSite();
  const params = { path: { projectId } };
  const query = useInfiniteQuery(
    pagedQuery(
      ['reader-sessions', projectId],
      { limit: 50 },
      (page) => api.get(SESSIONS, { ...params, query: page }),
      (parts) => parts.flatMap(({ items }) => items),
    ),
  );
  const end = useAction({
    run: ({ id }: Session) =>
      api.delete(`${SESSIONS}/{sessionId}`, { path: { projectId, sessionId: id } }),
    done: () => {
      void refresh();
      notify('The reader has to sign in again');
    },
    failed: 'The session could not be ended',
  });
  const endAll = () =>
    confirmAction({
      title: 'End all sessions',
      text: 'Every reader of the site has to sign in again.',
      action: 'End all sessions',
      run: () => api.delete(SESSIONS, params),
      done: 'All sessions have ended',
      failed: 'The sessions could not be ended',
    });
  const columns: Column<Session>[] = [
    { title: 'Reader', cell: ({ name }) => name ?? 'A reader' },
    {
      title: 'Signed in with',
      cell: ({ method }) => (method === 'view' ? 'View as a reader' : METHODS[method].title),
    },
    { title: 'Groups', isMinor: true, cell: ({ groups }) => groups.join(', ') },
    timeColumn('Signed in', 'createdAt'),
    timeColumn('Last used', 'usedAt', true),
    {
      title: '(Actions)',
      cell: (session) => (
        <Button
          size="sm"
          aria-label={`End the session of ${session.name ?? 'a reader'}`}
          onClick={() => end.mutate(session)}
        >
          End
        </Button>
      ),
    },
  ];
  const empty = (
    <EmptyState icon="users" title="Nobody is signed in">
      Readers who signed in are listed here until their sessions end.
    </EmptyState>
  );
  return (
    <Section title="Signed-in readers">
      <List
        label="Signed-in readers"
        columns={columns}
        query={query}
        keyOf={({ id }) => id}
        empty={empty}
      />
      {query.data !== undefined && query.data.length > 0 && (
        <div className="mt-3 flex justify-end">
          <Button size="sm" onClick={endAll}>
            End all sessions
          </Button>
        </div>
      )}
    </Section>
  );
}
