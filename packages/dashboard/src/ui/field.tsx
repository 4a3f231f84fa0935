import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

/** The look of a field. */
export const CONTROL =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm text-text disabled:bg-sunken disabled:text-muted aria-invalid:border-danger';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** The ids of a field, and what is written about it. */
function useField({ hint, error }: Omit<FieldProps, 'label'>) {
  const id = useId();
  const text = error ?? hint;
  const hasText = text !== undefined;
  const ids = {
    id,
    'aria-describedby': hasText ? `${id}-about` : undefined,
    'aria-invalid': error === undefined ? undefined : (true as const),
  };
  const about = hasText && (
    <p
      id={`${id}-about`}
      className={cx('text-s', error === undefined ? 'text-muted' : 'text-danger')}
    >
      {text}
    </p>
  );
  return { ids, about };
}

/** A field with its label, and what is written about it. */
export function Field({
  label,
  children,
  ...props
}: FieldProps & { children: (ids: ReturnType<typeof useField>['ids']) => ReactNode }) {
  const { ids, about } = useField(props);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={ids.id} className="text-s font-medium">
        {label}
      </label>
      {children(ids)}
      {about}
    </div>
  );
}

/**
 * A single-line text field, which the browser fills only if `autoComplete` says with what. A
 * password can be shown while it is typed.
 */
export function TextField({ label, hint, error, ...rest }: FieldProps & ComponentProps<'input'>) {
  const Input = rest.type === 'password' ? SecretInput : 'input';
  const defaults = { type: 'text', autoComplete: 'off' };
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <Input {...defaults} {...rest} {...ids} className={cx(CONTROL, 'h-9')} />}
    </Field>
  );
}

function SecretInput({ className, ...rest }: ComponentProps<'input'>) {
  const [isShown, setShown] = useState(false);
  return (
    <span className="relative block">
      <input {...rest} type={isShown ? 'text' : 'password'} className={cx(className, 'pr-10')} />
      <IconButton
        label="Show the characters"
        icon="eye"
        aria-pressed={isShown}
        aria-controls={rest.id}
        className="absolute top-0.5 right-0.5 aria-pressed:text-accent-text"
        onClick={() => setShown(!isShown)}
      />
    </span>
  );
}

/** A field for the email address that somebody signs in with. */
export function EmailField(props: ComponentProps<'input'>) {
  return <TextField label="Email" type="email" autoComplete="username" required {...props} />;
}

/** A field for the password of an account. */
export function PasswordField(props: Partial<FieldProps> & ComponentProps<'input'>) {
  return (
    <TextField
      label="Password"
      type="password"
      autoComplete="current-password"
      required
      {...props}
    />
  );
}

/** A field for a new password. */
export function NewPasswordField(props: FieldProps & ComponentProps<'input'>) {
  return (
    <TextField
      type="password"
      autoComplete="new-password"
      hint="At least 10 characters."
      minLength={10}
      required
      {...props}
    />
  );
}

/** A multi-line text field. */
export function TextAreaField({
  label,
  hint,
  error,
  ...rest
}: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <textarea rows={3} {...rest} {...ids} className={cx(CONTROL, 'py-2')} />}
    </Field>
  );
}

interface SelectProps extends ComponentProps<'select'> {
  /** The values with their titles, in this order. */
  options: Readonly<Record<string, string>>;
  /** Title of an option without a value, which comes first. */
  none?: string | undefined;
}

/** A select field. */
export function SelectField({ label, hint, error, ...rest }: FieldProps & SelectProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <Select {...rest} {...ids} />}
    </Field>
  );
}

/** A select without a visible label; it needs an `aria-label`. */
export function Select({ className, options, none, ...rest }: SelectProps) {
  return (
    <span className={cx('relative block', className)}>
      <select {...rest} className={cx(CONTROL, 'h-9 appearance-none pr-8')}>
        {none !== undefined && <option value="">{none}</option>}
        {Object.entries(options).map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
      <Icon
        name="chevron-down"
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-muted"
        size={14}
      />
    </span>
  );
}

/** A checkbox with a description. */
export function CheckField({ label, hint, error, ...rest }: FieldProps & ComponentProps<'input'>) {
  const { ids, about } = useField({ hint, error });
  return (
    <div className="flex gap-2.5">
      <input type="checkbox" {...rest} {...ids} className="mt-0.75 size-4 shrink-0 accent-accent" />
      <div>
        <label htmlFor={ids.id} className="text-sm font-medium">
          {label}
        </label>
        {about}
      </div>
    </div>
  );
}
