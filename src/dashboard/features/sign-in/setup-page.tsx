import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { send } from '../../api/client.ts';
import { sessionQuery } from '../../api/session.ts';
import { AnchorButton } from '../../ui/button.tsx';
import { NewPasswordField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { SignedOut } from './signed-out.tsx';

/** The first start: the first account and the organization. */
export function SetupPage() {
  const { token = '' } = useSearch({ strict: false });
  const { data: session } = useQuery(sessionQuery);
  if (session?.setupRequired === false) {
    return (
      <SignedOut title="Docent is set up" about="There is already an owner. Sign in, or ask an owner for an invitation.">
        <AnchorButton href="/dashboard/sign-in" variant="primary">
          Sign in
        </AnchorButton>
      </SignedOut>
    );
  }
  return (
    <SignedOut title="Set up Docent" about="Create the first account. It owns the organization, and can invite others.">
      {session ? <SetupForm token={token} /> : <Skeleton />}
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
    <Form form={form} action="Create account" isWide>
      {token === '' && (
        <TextField
          label="Set-up token"
          hint="It is at the end of the set-up link that the server printed when it started."
          autoComplete="off"
          required
          {...form.field('token')}
        />
      )}
      <TextField label="Organization" autoComplete="organization" required {...form.field('organisation')} />
      <TextField label="Your name" autoComplete="name" required {...form.field('person')} />
      <TextField label="Email" type="email" autoComplete="username" required {...form.field('email')} />
      <NewPasswordField label="Password" {...form.field('password')} />
    </Form>
  );
}
