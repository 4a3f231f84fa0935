import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type FieldValues, type Path, type RegisterOptions, type UseFormReturn, useForm } from 'react-hook-form';
import { ApiError, messageOf } from '../api/problem.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { Notice } from './notice.tsx';

interface FormOptions<Values extends FieldValues, Result> {
  values: Values;
  submit: (values: Values) => Promise<Result>;
  onDone?: (result: Result, values: Values) => void;
  /** The field of a rejected part of the request, by its JSON pointer; without it, its last name. */
  fieldOf?: (pointer: string) => string;
}

/**
 * A form whose rules are those of the API: what the API rejects is shown at the field, everything else in `failure`.
 */
export function useApiForm<Values extends FieldValues, Result>({ values, submit, onDone, fieldOf }: FormOptions<Values, Result>) {
  const form: UseFormReturn<Values> = useForm<Values>({ defaultValues: values as never });
  const mutation = useMutation({ mutationFn: submit, onSuccess: (result, sent) => onDone?.(result, sent) });
  const onSubmit = form.handleSubmit(async (sent) => {
    await mutation.mutateAsync(sent).catch((error: unknown) => showFaults(form, error, fieldOf));
  });
  const isShownAtFields =
    mutation.error instanceof ApiError && mutation.error.faults.length > 0 && Object.keys(form.formState.errors).length > 0;
  return {
    ...form,
    onSubmit,
    isBusy: mutation.isPending,
    failure: mutation.error && !isShownAtFields ? messageOf(mutation.error) : undefined,
    /** What a field needs: its value, and what the API says about it. */
    field: <Name extends Path<Values>>(name: Name, options?: RegisterOptions<Values, Name>) => ({
      ...form.register(name, options),
      error: form.getFieldState(name, form.formState).error?.message,
    }),
  };
}

interface FormProps {
  /** What `useApiForm` returned. */
  form: Pick<UseFormReturn, 'formState'> & { onSubmit: () => Promise<void>; isBusy: boolean; failure: string | undefined };
  /** What the button says: a verb. */
  action: string;
  /** Beside the button. */
  secondary?: ReactNode;
  /** Who may send it, where the user may only read it. */
  lacks?: string | undefined;
  /** Settings, which are sent only where something has changed. */
  isSettings?: boolean;
  /** The button is as wide as the form: the one thing to do on a page. */
  isWide?: boolean;
  className?: string;
  children: ReactNode;
}

/** A form: why it failed, its fields, its button. */
export function Form({ form, action, secondary, lacks, isSettings = false, isWide = false, className, children }: FormProps) {
  const submit = (
    <Button type="submit" variant="primary" isBusy={form.isBusy} disabled={isSettings && !form.formState.isDirty}>
      {action}
    </Button>
  );
  const parts = (
    <>
      {lacks !== undefined && <Notice>Your role may read these settings. {lacks} can change them.</Notice>}
      {form.failure !== undefined && <Notice tone="danger">{form.failure}</Notice>}
      {children}
      {lacks === undefined &&
        (isWide ? (
          submit
        ) : (
          <div className="flex items-center justify-end gap-2">
            {secondary}
            {submit}
          </div>
        ))}
    </>
  );
  const layout = cx('flex flex-col gap-4', className);
  return (
    <form onSubmit={form.onSubmit} className={lacks === undefined ? layout : undefined}>
      {lacks === undefined ? (
        parts
      ) : (
        <fieldset disabled className={layout}>
          {parts}
        </fieldset>
      )}
    </form>
  );
}

function showFaults<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown, fieldOf = lastName): void {
  if (!(error instanceof ApiError)) return;
  for (const { path, message } of error.faults) {
    const name = fieldOf(path);
    if (name in form.getValues()) form.setError(name as Path<Values>, { message });
  }
}

/** `/scopes/0` → `scopes`, `/organisation/name` → `name` */
function lastName(pointer: string): string {
  return pointer.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? '';
}
