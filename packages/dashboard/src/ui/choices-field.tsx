import { Combobox } from '@base-ui/react/combobox';
import { useRef } from 'react';
import { cx } from './cx.ts';
import { CONTROL, Field } from './field.tsx';
import { Icon } from './icon.tsx';

/** Something that can be chosen. */
export interface Choice {
  id: string;
  title: string;
  /** What distinguishes it from others with its title, such as an address. */
  about: string;
}

interface ChoicesFieldProps {
  label: string;
  hint: string;
  placeholder: string;
  /** Shown if nothing matches the text. */
  none: string;
  /** What matches the text. */
  choices: readonly Choice[];
  text: string;
  onText: (text: string) => void;
  value: Choice[];
  onChange: (choices: Choice[]) => void;
  error: string | undefined;
}

/** Chooses several of many things, which the server searches. */
export function ChoicesField({
  label,
  hint,
  placeholder,
  none,
  choices,
  text,
  onText,
  value,
  onChange,
  error,
}: ChoicesFieldProps) {
  const field = useRef<HTMLDivElement>(null);
  return (
    <Combobox.Root
      multiple
      items={choices}
      value={value}
      onValueChange={onChange}
      inputValue={text}
      onInputValueChange={onText}
      itemToStringLabel={({ title }: Choice) => title}
      isItemEqualToValue={(item: Choice, other: Choice) => item.id === other.id}
      filter={null}
    >
      <Field label={label} hint={hint} error={error}>
        {(ids) => (
          <Combobox.Chips
            ref={field}
            className={cx(
              CONTROL,
              'flex min-h-9 flex-wrap items-center gap-1.5 px-1.5 py-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent-text',
            )}
          >
            {value.map((choice) => (
              <Combobox.Chip
                key={choice.id}
                title={choice.about}
                className="flex max-w-full items-center gap-1 rounded bg-hover pl-2 text-s data-highlighted:bg-accent-soft"
              >
                <span className="truncate">{choice.title}</span>
                <Combobox.ChipRemove
                  aria-label={`Remove ${choice.title}`}
                  className="flex size-6 items-center justify-center text-muted hover:text-text"
                >
                  <Icon name="x" size={12} />
                </Combobox.ChipRemove>
              </Combobox.Chip>
            ))}
            <Combobox.Input
              {...ids}
              placeholder={value.length === 0 ? placeholder : ''}
              className="h-6 min-w-24 flex-1 bg-transparent px-1 outline-none"
            />
          </Combobox.Chips>
        )}
      </Field>
      <Combobox.Portal>
        <Combobox.Positioner anchor={field} sideOffset={4} className="z-60">
          <Combobox.Popup className="popup w-(--anchor-width) overflow-hidden">
            <Combobox.Empty className="not-empty:px-3 not-empty:py-4 text-center text-s text-muted">
              {none}
            </Combobox.Empty>
            <Combobox.List aria-label={label} className="max-h-64 overflow-y-auto p-1 empty:hidden">
              {(choice: Choice) => (
                <Combobox.Item
                  key={choice.id}
                  value={choice}
                  className="grid cursor-pointer grid-cols-[1rem_1fr] items-center gap-x-2 rounded-md px-2 py-1.5 text-s data-highlighted:bg-hover"
                >
                  <Combobox.ItemIndicator className="text-accent-text">
                    <Icon name="check" size={14} />
                  </Combobox.ItemIndicator>
                  <span className="col-start-2 flex min-w-0 flex-col">
                    <span className="truncate">{choice.title}</span>
                    <span className="truncate font-mono text-xs text-muted">{choice.about}</span>
                  </span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
