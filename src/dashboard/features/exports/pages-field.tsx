import { Combobox } from '@base-ui/react/combobox';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { cx } from '../../ui/cx.ts';
import { CONTROL, Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSettled } from '../../ui/use-settled.ts';

/** A page that can be chosen. */
export interface PageChoice {
  path: string;
  title: string;
}

/** Maximum number of pages that one search shows. */
const MAX_PAGES = 50;

interface PagesFieldProps {
  projectId: string;
  /** Only pages of this version and language can be chosen. */
  filters: { version?: string; language?: string };
  value: PageChoice[];
  onChange: (pages: PageChoice[]) => void;
  error: string | undefined;
}

/** Chooses pages of the live site by their title or address; without a choice, all of them. */
export function PagesField({ projectId, filters, value, onChange, error }: PagesFieldProps) {
  const field = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const q = useSettled(text.trim());
  const query = { ...filters, ...(q !== '' && { q }), limit: MAX_PAGES };
  const { data } = useQuery({
    queryKey: ['pages', projectId, query],
    queryFn: () => bodyOf(api.GET('/v1/projects/{projectId}/pages', { params: { path: { projectId }, query } })),
    placeholderData: keepPreviousData,
  });
  const pages: PageChoice[] = data?.items.map(({ path, title }) => ({ path, title })) ?? [];
  return (
    <Combobox.Root
      multiple
      items={pages}
      value={value}
      onValueChange={onChange}
      inputValue={text}
      onInputValueChange={setText}
      itemToStringLabel={({ title }: PageChoice) => title}
      isItemEqualToValue={(one: PageChoice, other: PageChoice) => one.path === other.path}
      filter={null}
    >
      <Field label="Pages" hint="Empty: all pages." error={error}>
        {(ids) => (
          <Combobox.Chips
            ref={field}
            className={cx(
              CONTROL,
              'flex min-h-9 flex-wrap items-center gap-1.5 px-1.5 py-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent-text',
            )}
          >
            {value.map((page) => (
              <Combobox.Chip
                key={page.path}
                title={page.path}
                className="flex max-w-full items-center gap-1 rounded bg-hover pl-2 text-s data-highlighted:bg-accent-soft"
              >
                <span className="truncate">{page.title}</span>
                <Combobox.ChipRemove
                  aria-label={`Remove ${page.title}`}
                  className="flex size-6 items-center justify-center text-muted hover:text-text"
                >
                  <Icon name="x" size={12} />
                </Combobox.ChipRemove>
              </Combobox.Chip>
            ))}
            <Combobox.Input
              {...ids}
              placeholder={value.length === 0 ? 'Search pages' : ''}
              className="h-6 min-w-24 flex-1 bg-transparent px-1 outline-none"
            />
          </Combobox.Chips>
        )}
      </Field>
      <Combobox.Portal>
        <Combobox.Positioner anchor={field} sideOffset={4} className="z-60">
          <Combobox.Popup className="popup w-(--anchor-width) overflow-hidden">
            <Combobox.Empty className="not-empty:px-3 not-empty:py-4 text-center text-s text-muted">
              No page matches.
            </Combobox.Empty>
            <Combobox.List className="max-h-64 overflow-y-auto p-1 empty:hidden">
              {(page: PageChoice) => (
                <Combobox.Item
                  key={page.path}
                  value={page}
                  className="grid cursor-pointer grid-cols-[1rem_1fr] items-center gap-x-2 rounded-md px-2 py-1.5 text-s data-highlighted:bg-hover"
                >
                  <Combobox.ItemIndicator className="text-accent-text">
                    <Icon name="check" size={14} />
                  </Combobox.ItemIndicator>
                  <span className="col-start-2 flex min-w-0 flex-col">
                    <span className="truncate">{page.title}</span>
                    <span className="truncate font-mono text-xs text-muted">{page.path}</span>
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
