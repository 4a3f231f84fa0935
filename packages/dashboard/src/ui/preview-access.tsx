import { SelectField, TextField } from './field.tsx';

/** The lifetime of a new preview, in days. */
export const LIFETIME_DAYS = '30';

const READERS = {
  everyone: 'Everyone with the address',
  password: 'Everyone with a password',
  members: 'Members of the organization',
};
const LIFETIMES = {
  '7': '7 days',
  '14': '14 days',
  '30': '30 days',
  '90': '90 days',
  never: 'Until it is deleted',
};

/** The values of the fields. */
interface Access {
  readers: string;
  password: string;
  lifetimeDays: string;
}

/** Returns what the API gets; a password that is not typed stays as it was. */
export function accessOf({ readers, password, lifetimeDays }: Access) {
  const lifetime = { lifetimeDays: lifetimeDays === 'never' ? null : Number(lifetimeDays) };
  if (readers === 'members') return { ...lifetime, membersOnly: true };
  if (readers === 'everyone') return { ...lifetime, password: null };
  return { ...lifetime, ...(password !== '' && { password }) };
}

interface AccessFieldsProps {
  form: { field: (name: 'readers' | 'password' | 'lifetimeDays') => object };
  /** The chosen readers. */
  readers: string;
  /** Whether the preview has a password, which may stay. */
  hasPassword?: boolean;
  /** A lifetime that is not in the list. */
  days?: number | null;
}

/** Who can read a preview, and how long it is kept. */
export function AccessFields({
  form,
  readers,
  hasPassword = false,
  days = null,
}: AccessFieldsProps) {
  const lifetimes =
    days === null || String(days) in LIFETIMES
      ? LIFETIMES
      : { [days]: `${days} days`, ...LIFETIMES };
  return (
    <>
      <SelectField label="Who can read it" options={READERS} {...form.field('readers')} />
      {readers === 'password' && (
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          hint={hasPassword ? 'Leave it empty to keep the password.' : 'At least 8 characters.'}
          minLength={8}
          maxLength={200}
          required={!hasPassword}
          {...form.field('password')}
        />
      )}
      <SelectField
        label="Kept after each deployment"
        options={lifetimes}
        {...form.field('lifetimeDays')}
      />
    </>
  );
}
