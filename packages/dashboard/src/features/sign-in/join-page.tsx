import { signInAddress } from '@docent/format/access/return-address.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { ApiError, api } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { AnchorButton } from '../../ui/button.tsx';
import { EmailField, NewPasswordField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { ErrorState, Notice, Skeleton } from '../../ui/page.tsx';
import { SignedOut } from './signed-out.tsx';
import { openProvider, SsoButtons } from './single-sign-on.tsx';

/** The first start: the first account and the organization. */
export function SetupPage() {
  const { token = '' } = useSearch({ strict: false });
  const { data: session } = useQuery(sessionQuery);
  if (session?.setupRequired === false) {
    return (
      <SignedOut
        title="Docent is set up"
        about="There is already an owner. Sign in, or ask an owner for an invitation."
      >
        <AnchorButton href="/dashboard/sign-in" variant="primary">
          Sign in
        </AnchorButton>
      </SignedOut>
    );
  }
  return (
    <SignedOut
      title="Set up Docent"
      about="Create the first account. It owns the organization, and can invite others."
    >
      {session ? <SetupForm token={token} /> : <Skeleton />}
    </SignedOut>
  );
}

function SetupForm({ token }: { token: string }) {
  const form = useApiForm({
    values: { token, organization: '', person: '', email: '', password: '' },
    submit: ({ organization, person, ...rest }) =>
      api.post('/v1/setup', {
        body: { ...rest, name: person, organization: { name: organization } },
      }),
    onDone: ({ organization }) => window.location.assign(`/dashboard/${organization.slug}`),
    fieldOf: (pointer) => (pointer === '/name' ? 'person' : (pointer.split('/')[1] ?? '')),
  });
  return (
    <Form form={form} action="Create account" isWide>
      {token === '' && (
        <TextField
          label="Set-up token"
          hint="It is at the end of the set-up link that the server printed when it started."
          required
          {...form.field('token')}
        />
      )}
      <TextField
        label="Organization"
        autoComplete="organization"
        required
        {...form.field('organization')}
      />
      <TextField label="Your name" autoComplete="name" required {...form.field('person')} />
      <EmailField {...form.field('email')} />
      <NewPasswordField label="Password" {...form.field('password')} />
    </Form>
  );
}

/** The page that an invitation link opens. */
export function InvitePage() {
  const { token = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.get('/v1/invitations/{token}', { path: { token } }),
    retry: false,
  });
  const { data: session } = useQuery(sessionQuery);
  if (error instanceof ApiError && error.status < 500) {
    return (
      <SignedOut
        title="This invitation is not valid"
        about="It was used or revoked, or has expired. Ask for a new one."
      >
        <AnchorButton href="/dashboard/sign-in">Sign in</AnchorButton>
      </SignedOut>
    );
  }
  if (error) {
    return (
      <SignedOut title="Invitation">
        <ErrorState error={error} onRetry={refetch} />
      </SignedOut>
    );
  }
  if (!data || !session) {
    return (
      <SignedOut title="Invitation">
        <Skeleton />
      </SignedOut>
    );
  }
  const isOther = session.user !== null && session.user.email !== data.email;
  return (
    <SignedOut
      title={`Join ${data.organization}`}
      about={`${data.inviter === null ? `${data.email} is invited` : `${data.inviter} invites ${data.email}`} with the role ${data.role}.`}
    >
      {isOther ? (
        <Notice tone="warning">
          You are signed in as {session.user?.email}. Sign out first, then open this link again.
        </Notice>
      ) : data.hasAccount && session.user === null ? (
        <AnchorButton href={signInAddress(window.location.pathname)} variant="primary">
          Sign in to join
        </AnchorButton>
      ) : (
        <div className="flex flex-col gap-4">
          {(session.user !== null || session.signIn.password) && (
            <AcceptForm token={token} needsAccount={session.user === null} />
          )}
          {session.user === null && (
            <SsoButtons
              session={session}
              onProvider={(provider) =>
                openProvider('sign-in/social', provider, window.location.pathname)
              }
            />
          )}
        </div>
      )}
    </SignedOut>
  );
}

function AcceptForm({ token, needsAccount }: { token: string; needsAccount: boolean }) {
  const form = useApiForm({
    values: { name: '', password: '' },
    submit: (values) => {
      const body = needsAccount ? values : {};
      return api.post('/v1/invitations/{token}/accept', { path: { token }, body });
    },
    onDone: ({ organization }) => window.location.assign(`/dashboard/${organization.slug}`),
  });
  return (
    <Form form={form} action="Join" isWide>
      {needsAccount && (
        <>
          <TextField label="Your name" autoComplete="name" required {...form.field('name')} />
          <NewPasswordField label="Password" {...form.field('password')} />
        </>
      )}
    </Form>
  );
}
