import { useEffect, useState } from 'react';
import { request } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';

/**
 * Leads to the identity provider of an organization.
 * @param address page of the dashboard to return to
 */
export function OrganizationSignIn({ address }: { address: string }) {
  const [isOpen, setOpen] = useState(false);
  const form = useApiForm({
    values: { organization: '' },
    submit: async ({ organization }) => {
      const signIn = `/v1/sign-in/${encodeURIComponent(organization.trim())}`;
      // An organization without a provider is refused here, not on a page of its own.
      await request(`${signIn}/metadata`);
      return `${signIn}?redirect=${encodeURIComponent(address)}`;
    },
    onDone: (signIn) => window.location.assign(signIn),
    onlyField: 'organization',
  });
  const { setFocus } = form;
  useEffect(() => {
    if (isOpen) setFocus('organization');
  }, [isOpen, setFocus]);
  if (!isOpen)
    return (
      <Button variant="ghost" onClick={() => setOpen(true)}>
        Sign in with your organization
      </Button>
    );
  return (
    <Form form={form} action="Continue to its provider" isWide>
      <TextField
        label="Identifier of the organization"
        hint="It is in the address of the dashboard, such as acme in /dashboard/acme."
        autoComplete="organization"
        autoCapitalize="none"
        required
        {...form.field('organization')}
      />
    </Form>
  );
}
