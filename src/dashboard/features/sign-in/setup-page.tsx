import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { send } from '../../api/client.ts';
import { sessionQuery } from '../../api/session.ts';
import { AnchorButton, Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.ts';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { SignedOut } from './signed-out.tsx';

/** The first start: the first account and the organization. */
export function SetupPage() {
  const { token = '' } = useSearch({ strict: false });
  const { data: session } = useQuery(sessionQuery);
  if (!session) {
    return (
      <SignedOut title="Set up Docent">
        <Skeleton />
      </SignedOut>
    );
  }
  if (!session.setupRequired) {
    return (
      <SignedOut title="Docent is set up" about="There is an owner already. Sign in, or ask an owner for an invitation.">
        <AnchorButton href="/dashboard/sign-in" variant="primary">
          Sign in
        </AnchorButton>
      </SignedOut>
    );
  }
  return (
    <SignedOut title="Set up Docent" about="Create the first account. It owns the organization, and can invite others.">
      <SetupForm token={token} />
    </SignedOut>
  );
}

function SetupForm({ token }: { token: string }) {
  const form = useApiForm({
    values: { token, organisation: '', person: '', email: '', password: '' },
    submit: ({ organisation, person, ...rest }) =>
      send<{ organisation: { slug: string } }>('POST', '/v1/setup', {
        ...rest,
        name: person,
        organisation: { name: organisation },
      }),
    onDone: ({ organisation }) => window.location.assign(`/dashboard/${organisation.slug}`),
    fieldOf: (pointer) => (pointer === '/name' ? 'person' : (pointer.split('/')[1] ?? '')),
  });
  return (
    <form onSubmit={form.onSubmit} className="flex flex-col gap-4">
      {form.failure !== undefined && <Notice tone="danger">{form.failure}</Notice>}
      {token === '' && (
        <TextField
          label="Set-up token"
          hint="It is the end of the set-up link that the server printed when it started."
          autoComplete="off"
          required
          {...form.register('token')}
          error={form.faultOf('token')}
        />
      )}
      <TextField
        label="Organization"
        autoComplete="organization"
        required
        {...form.register('organisation')}
        error={form.faultOf('organisation')}
      />
      <TextField label="Your name" autoComplete="name" required {...form.register('person')} error={form.faultOf('person')} />
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        required
        {...form.register('email')}
        error={form.faultOf('email')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 12 characters."
        minLength={12}
        required
        {...form.register('password')}
        error={form.faultOf('password')}
      />
      <Button type="submit" variant="primary" isBusy={form.isBusy}>
        Create account
      </Button>
    </form>
  );
}
