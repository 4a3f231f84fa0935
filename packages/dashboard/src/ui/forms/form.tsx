import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, type FormEvent, type ReactNode, type RefObject, useRef } from 'react';
import {
  type FieldValues,
  type Path,
  type RegisterOptions,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { ApiError, messageOf } from '../../api/client.ts';
import { Button } from '../button.tsx';
import { cx } from '../cx.ts';
import { Notice } from '../page.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';

interface FormOptions<Values extends FieldValues, Result> {
  values: Values;
  submit: (values: Values) => Promise<Result>;
  onDone?: (result: Result, values: Values) => void;
  /** Maps the JSON pointer of a rejected value to a field; by default, the pointer's last name. */
  fieldOf?: (pointer: string) => string;
  /**
   * The only field that a refusal can be about, such as the code of a second factor: it is shown
   * there.
   */
  onlyField?: Path<Values>;
}

/**
 * A form validated by the API: errors of a field are shown at the field, all others in `failure`.
 */
export function useApiForm<Values extends FieldValues, Result>(
  options: FormOptions<Values, Result>,
) {
  const { values, submit, onDone, fieldOf, onlyField } = options;
  const form: UseFormReturn<Values> = useForm<Values>({ defaultValues: values as never });
  // What was submitted is saved, until it is changed again.
  const isSaved = useRef(false);
  const mutation = useMutation({
    mutationFn: submit,
    onSuccess: (result, sent) => {
      isSaved.current = true;
      return onDone?.(result, sent);
    },
  });
  const send = form.handleSubmit(async (sent) => {
    await mutation.mutateAsync(sent).catch((error: unknown) => {
      if (onlyField !== undefined)
        form.setError(onlyField, { message: messageOf(error) }, { shouldFocus: true });
      else showFaults(form, error, fieldOf);
    });
  });
  const hasFaults =
    onlyField !== undefined ||
    (mutation.error instanceof ApiError && mutation.error.faults.length > 0);
  const isShownAtFields = hasFaults && Object.keys(form.formState.errors).length > 0;
  /**
   * Of the element: what the browser finds wrong is shown at the fields, as what the API finds is.
   */
  const element = {
    noValidate: true,
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const faults = faultsIn(event.currentTarget).filter(({ name }) => name in form.getValues());
      for (const { name, message } of faults) form.setError(name as Path<Values>, { message });
      if (faults[0]) form.setFocus(faults[0].name as Path<Values>);
      else void send(event);
    },
    onChange: ({ target }: FormEvent<HTMLFormElement>) => {
      isSaved.current = false;
      const { name } = target as Partial<HTMLInputElement>;
      if (name) form.clearErrors(name as Path<Values>);
    },
  };
  return {
    ...form,
    element,
    isSaved,
    isBusy: mutation.isPending,
    failure: mutation.error && !isShownAtFields ? messageOf(mutation.error) : undefined,
    /** Props of a field: its value, and the API's error for it. */
    field: <Name extends Path<Values>>(name: Name, options?: RegisterOptions<Values, Name>) => ({
      ...form.register(name, options),
      error: form.getFieldState(name, form.formState).error?.message,
    }),
  };
}

/** What the browser finds wrong with the values of a form, in our words. */
function faultsIn({ elements }: HTMLFormElement): { name: string; message: string }[] {
  return [...elements].flatMap((element) => {
    if (
      !(
        element instanceof HTMLInputElement ||
        element instanceof HTMLTextAreaElement ||
        element instanceof HTMLSelectElement
      )
    )
      return [];
    return element.willValidate && !element.validity.valid
      ? [{ name: element.name, message: faultOf(element) }]
      : [];
  });
}

function faultOf(field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): string {
  const { valueMissing, typeMismatch, tooShort, badInput, rangeUnderflow, rangeOverflow } =
    field.validity;
  if (valueMissing)
    return field.type === 'checkbox' ? 'This is needed to go on.' : 'Fill in this field.';
  if (typeMismatch)
    return field.type === 'email'
      ? 'Enter an address such as ada@example.com.'
      : 'Enter a web address such as https://example.com.';
  if (tooShort && 'minLength' in field) return `Use at least ${field.minLength} characters.`;
  if (badInput) return 'Enter a number.';
  if (rangeUnderflow && 'min' in field) return `The lowest value is ${field.min}.`;
  if (rangeOverflow && 'max' in field) return `The highest value is ${field.max}.`;
  return field.validationMessage;
}

function showFaults<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  fieldOf = lastName,
): void {
  if (!(error instanceof ApiError)) return;
  for (const { path, message } of error.faults) {
    const name = fieldOf(path);
    if (name in form.getValues()) form.setError(name as Path<Values>, { message });
  }
}

/** `/scopes/0` → `scopes`, `/organization/name` → `name` */
function lastName(pointer: string): string {
  return pointer.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? '';
}

interface FormProps {
  /** The result of `useApiForm`. */
  form: Pick<UseFormReturn, 'formState'> & {
    element: Pick<ComponentProps<'form'>, 'noValidate' | 'onSubmit' | 'onChange'>;
    isSaved: RefObject<boolean>;
    isBusy: boolean;
    failure: string | undefined;
  };
  /** Label of the button: a verb. */
  action: string;
  /** Beside the button. */
  secondary?: ReactNode;
  /** Who may submit it, if the user may only read it. */
  lacks?: string | undefined;
  /** Settings, which are submitted only if something has changed. */
  isSettings?: boolean;
  /**
   * A form of a signed-out page: its button is as wide as the form, and it can be left without a
   * question.
   */
  isWide?: boolean;
  className?: string;
  children: ReactNode;
}

/** A form: its error, its fields, its button. */
export function Form({
  form,
  action,
  secondary,
  lacks,
  isSettings = false,
  isWide = false,
  className,
  children,
}: FormProps) {
  const submit = (
    <Button
      type="submit"
      variant="primary"
      isBusy={form.isBusy}
      disabled={isSettings && !form.formState.isDirty}
    >
      {action}
    </Button>
  );
  const layout = cx('flex flex-col gap-4', className);
  if (lacks !== undefined)
    return (
      <form>
        <fieldset disabled className={layout}>
          <Notice>Your role can read these settings. {lacks} can change them.</Notice>
          {children}
        </fieldset>
      </form>
    );
  const hasChanges = !isWide && form.formState.isDirty;
  return (
    <form {...form.element} className={layout}>
      {hasChanges && <UnsavedChanges isSaved={form.isSaved} />}
      {form.failure !== undefined && <Notice tone="danger">{form.failure}</Notice>}
      {children}
      {isWide ? (
        submit
      ) : (
        <div className="flex items-center justify-end gap-2">
          {secondary}
          {submit}
        </div>
      )}
    </form>
  );
}
