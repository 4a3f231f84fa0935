import { useMutation } from '@tanstack/react-query';
import { type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form';
import { ApiError, messageOf } from '../api/problem.ts';

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
    /** What the API says about a field. */
    faultOf: (name: Path<Values>) => form.getFieldState(name, form.formState).error?.message,
  };
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
