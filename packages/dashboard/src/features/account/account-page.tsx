import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { refresh, useSession } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import { Card, Notice, Page } from '../../ui/page.tsx';
import { List, timeColumn } from '../../ui/table.tsx';

const PLACES = [
  ['Profile', '/account/profile'],
  ['Security', '/account/security'],
  ['Sessions', '/account/sessions'],
] as const;

/** A page about the account of the user. */
export function AccountPage({
  title,
  children,
}: {
  title: (typeof PLACES)[number][0];
  children: ReactNode;
}) {
  return (
    <Page
      title={title}
      about="Your name, password and sessions. They are the same in every organization that you belong to."
    >
      <nav aria-label="Account" className="mb-6 flex gap-5 border-b border-line">
        {PLACES.map(([name, to]) => (
          <Link
            key={to}
            to={to}
            className="-mb-px border-b-2 border-transparent pb-2 text-s font-medium text-muted hover:text-text"
            activeProps={{ className: '!border-accent-text !text-text' }}
          >
            {name}
          </Link>
        ))}
      </nav>
      <div className="flex max-w-2xl flex-col gap-6">{children}</div>
    </Page>
  );
}

/** The user's public profile. */
export function ProfilePage() {
  const { user, mail } = useSession();
  const form = useApiForm({
    values: { name: user.name },
    submit: (body) => api.post('/v1/auth/update-user', { body }),
    onDone: async (_, values) => {
      await refresh();
      form.reset(values);
      notify('Profile saved');
    },
  });
  return (
    <AccountPage title="Profile">
      <Card isPadded>
        <Form form={form} action="Save changes" isSettings>
          <TextField label="Name" autoComplete="name" required {...form.field('name')} />
          <TextField
            label="Email"
            value={user.email}
            readOnly
            disabled
            hint={`You sign in with it.${mail ? '' : ` This server sends no mail, so only its operator can change it: docent users email ${user.email} <new address>`}`}
          />
        </Form>
      </Card>
      {mail && <EmailCard present={user.email} />}
    </AccountPage>
  );
}

/** Asks for a mail that changes the address which the user signs in with. */
function EmailCard({ present }: { present: string }) {
  const [sentTo, setSentTo] = useState<string>();
  const form = useApiForm({
    values: { email: '' },
    submit: (body) => api.post('/v1/auth/change-email', { body }),
    onDone: (_, { email }) => {
      form.reset();
      setSentTo(email);
    },
  });
  return (
    <Card
      title="Change your email address"
      about="The new address gets a link to confirm it, and the present one a notice."
      isPadded
    >
      <Form form={form} action="Send link" isSettings>
        {sentTo !== undefined && (
          <Notice tone="success">
            A link is on its way to {sentTo}. Open it within an hour; until then you sign in with{' '}
            {present}.
          </Notice>
        )}
        <TextField
          label="New email address"
          type="email"
          autoComplete="email"
          required
          {...form.field('email')}
        />
      </Form>
    </Card>
  );
}

/** The user's active sessions. */
export function SessionsPage() {
  const { user } = useSession();
  const query = useQuery({
    queryKey: ['account-sessions'],
    queryFn: () => api.get('/v1/auth/list-sessions'),
  });
  const revoke = useAction({
    run: (token?: string) =>
      token !== undefined
        ? api.post('/v1/auth/revoke-session', { body: { token } })
        : api.post('/v1/auth/revoke-other-sessions'),
    done: 'Session ended',
    failed: 'Session not ended',
  });
  return (
    <AccountPage title="Sessions">
      <List
        label="Sessions"
        query={query}
        placeholderRows={3}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Browser',
            cell: (session) => <Browser {...session} />,
          },
          timeColumn('Signed in', 'createdAt'),
          {
            title: '(Actions)',
            cell: ({ token }) => (
              <Button size="sm" onClick={() => revoke.mutate(token)}>
                Sign out
              </Button>
            ),
          },
        ]}
      />
      {query.data && !query.error && (
        <div>
          <Button icon="log-out" isBusy={revoke.isPending} onClick={() => revoke.mutate(undefined)}>
            Sign out everywhere else
          </Button>
        </div>
      )}
      {user.twoFactorEnabled && <TrustedDevices />}
    </AccountPage>
  );
}

/** The browsers that sign in without the second factor. */
function TrustedDevices() {
  const query = useQuery({
    queryKey: ['trusted-devices'],
    queryFn: () => api.get('/v1/auth/trusted-devices'),
  });
  const revoke = useAction({
    run: (id: string) => api.post('/v1/auth/revoke-trusted-device', { body: { id } }),
    done: 'Browser no longer trusted',
    failed: 'The browser is still trusted',
  });
  return (
    <Card
      title="Trusted browsers"
      about="They sign in without a code, for 30 days after it was entered there."
    >
      <List
        label="Trusted browsers"
        query={query}
        placeholderRows={1}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Browser', cell: (device) => <Browser {...device} /> },
          timeColumn('Last used', 'usedAt'),
          {
            title: '(Actions)',
            cell: ({ id }) => (
              <Button size="sm" onClick={() => revoke.mutate(id)}>
                Stop trusting
              </Button>
            ),
          },
        ]}
      />
    </Card>
  );
}

function Browser({
  userAgent,
  ipAddress,
}: {
  userAgent?: string | null | undefined;
  ipAddress?: string | null | undefined;
}) {
  return (
    <span className="flex flex-col">
      <span className="font-medium">{browserOf(userAgent ?? '')}</span>
      <span className="text-muted">{ipAddress ?? 'unknown address'}</span>
    </span>
  );
}

const BROWSERS = {
  'Edg/': 'Edge',
  'Firefox/': 'Firefox',
  'Chrome/': 'Chrome',
  'Safari/': 'Safari',
};
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'Mac OS', 'Linux'];

/** Returns `Firefox on Linux`, as far as the browser reveals it. */
function browserOf(userAgent: string): string {
  const [, name = 'A program'] =
    Object.entries(BROWSERS).find(([mark]) => userAgent.includes(mark)) ?? [];
  const system = SYSTEMS.find((systemName) => userAgent.includes(systemName));
  return system === undefined ? name : `${name} on ${system}`;
}
