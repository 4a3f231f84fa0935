import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

const CONTROL =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm text-text disabled:bg-sunken disabled:text-muted aria-invalid:border-danger';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

interface Ids {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

function Field({ label, hint, error, children }: FieldProps & { children: (ids: Ids) => ReactNode }) {
  const id = useId();
  const about = `${id}-about`;
  const hasAbout = hint !== undefined || error !== undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-s font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': hasAbout ? about : undefined, 'aria-invalid': error === undefined ? undefined : true })}
      {hasAbout && (
        <p id={about} className={cx('text-s', error === undefined ? 'text-muted' : 'text-danger')}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

/** A single-line text field. */
export function TextField({
  label,
  hint,
  error,
  prefix,
  className,
  ...rest
}: FieldProps & { prefix?: string } & Omit<InputHTMLAttributes<HTMLInputElement>, 'prefix'> & { ref?: Ref<HTMLInputElement> }) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) =>
        prefix === undefined ? (
          <input type="text" {...rest} {...ids} className={cx(CONTROL, 'h-9', className)} />
        ) : (
          <span className="flex">
            <span className="flex items-center rounded-l-md border border-r-0 border-line-strong bg-sunken px-2.5 text-s text-muted">
              {prefix}
            </span>
            <input type="text" {...rest} {...ids} className={cx(CONTROL, 'h-9 rounded-l-none', className)} />
          </span>
        )
      }
    </Field>
  );
}

/** A field for a new password. */
export function NewPasswordField(props: FieldProps & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  return (
    <TextField type="password" autoComplete="new-password" hint="At least 10 characters." minLength={10} required {...props} />
  );
}

/** A multi-line text field. */
export function TextAreaField({
  label,
  hint,
  error,
  className,
  ...rest
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <textarea rows={3} {...rest} {...ids} className={cx(CONTROL, 'py-2', className)} />}
    </Field>
  );
}

/** A select field. */
export function SelectField({
  label,
  hint,
  error,
  ...rest
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <Select {...rest} {...ids} />}
    </Field>
  );
}

/** A select without a visible label; it needs an `aria-label`. */
export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }) {
  return (
    <span className={cx('relative block', className)}>
      <select {...rest} className={cx(CONTROL, 'h-9 appearance-none pr-8')} />
      <Icon
        name="chevron-down"
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-muted"
        size={14}
      />
    </span>
  );
}

/** A checkbox with a description. */
export function CheckField({
  label,
  hint,
  error,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  const id = useId();
  const about = error ?? hint;
  return (
    <div className="flex gap-2.5">
      <input
        type="checkbox"
        {...rest}
        id={id}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        aria-invalid={error === undefined ? undefined : true}
        className="mt-0.75 size-4 shrink-0 accent-accent"
      />
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {about !== undefined && (
          <p id={`${id}-about`} className={cx('text-s', error === undefined ? 'text-muted' : 'text-danger')}>
            {about}
          </p>
        )}
      </div>
    </div>
  );
}

/** A field to search a list; `/` focuses it. */
export function SearchField({ label, className, ...rest }: { label: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <span className={cx('relative block', className)}>
      <Icon name="search" size={14} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        data-list-search
        {...rest}
        className={cx(CONTROL, 'h-9 pl-8')}
      />
    </span>
  );
}
