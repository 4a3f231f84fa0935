import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback, useRef } from 'react';
import { cx } from './cx.ts';
import { CONTROL, Select } from './field.tsx';
import { Icon } from './icon.tsx';

/**
 * Updates the URL's query string, where lists keep their filters and what is open; `undefined`
 * removes a name. Each change is a step of the history, so that Back undoes it, unless it continues
 * the last one.
 */
export function useSetSearch(): (change: object, continues?: boolean) => void {
  const navigate = useNavigate();
  return useCallback(
    (change: object, continues = false) => {
      const search = (before: object) => ({ ...before, ...change });
      void navigate({ to: '.', search, replace: continues, resetScroll: false } as never);
    },
    [navigate],
  );
}

/** The filters above a list. */
export function FilterBar({ children }: { children: ReactNode }) {
  return <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3">{children}</div>;
}

type FilterName =
  | 'q'
  | 'status'
  | 'outcome'
  | 'days'
  | 'unit'
  | 'found'
  | 'only'
  | 'actor'
  | 'site'
  | 'kind'
  | 'helpful'
  | 'from'
  | 'to'
  | 'state'
  | 'sort';

interface FilterProps {
  /** Its name in the query string. */
  name: FilterName;
  label: string;
  className?: string;
}

/**
 * A filter with a few values.
 * @param all label of the option for no filter; without it, a value is always selected
 * @param value shown if the URL does not set one
 */
export function FilterSelect({
  name,
  label,
  all,
  value = '',
  options,
  className = 'w-44 max-sm:min-w-36 max-sm:flex-1',
}: FilterProps & { all?: string; value?: string; options: Record<string, string> }) {
  const chosen = useSearch({ strict: false })[name] ?? value;
  const setSearch = useSetSearch();
  return (
    <Select
      aria-label={label}
      className={className}
      value={chosen}
      onChange={({ target }) => setSearch({ [name]: target.value || undefined })}
      options={options}
      none={all}
    />
  );
}

/** A text filter; `/` focuses it. What is typed at one time is one step of the history. */
export function FilterSearch({ name, label, className = 'w-64 max-sm:w-full' }: FilterProps) {
  const text = useSearch({ strict: false })[name] ?? '';
  const setSearch = useSetSearch();
  const isTyping = useRef(false);
  return (
    <span className={cx('relative block', className)}>
      <Icon
        name="search"
        size={14}
        className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        data-list-search
        value={text}
        onChange={({ target }) => {
          setSearch({ [name]: target.value || undefined }, isTyping.current);
          isTyping.current = true;
        }}
        onBlur={() => {
          isTyping.current = false;
        }}
        className={cx(CONTROL, 'h-9 pl-8')}
      />
    </span>
  );
}

/** A filter for a day. */
export function FilterDay({ name, label, className = 'max-sm:flex-1' }: FilterProps) {
  const day = useSearch({ strict: false })[name] ?? '';
  const setSearch = useSetSearch();
  return (
    <label
      className={cx(
        'flex items-center gap-2 text-s text-muted max-sm:flex-col max-sm:items-stretch max-sm:gap-1',
        className,
      )}
    >
      {label}
      <input
        type="date"
        value={day}
        onChange={({ target }) => setSearch({ [name]: target.value || undefined })}
        className={cx(CONTROL, 'h-9 w-36 max-sm:w-full')}
      />
    </label>
  );
}
