import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { type Choice, ChoicesField } from '../../ui/choices-field.tsx';
import { useSettled } from '../../ui/use-settled.ts';

/** Maximum number of pages that one search shows. */
const MAX_PAGES = 50;

interface PagesFieldProps {
  projectId: string;
  /** Only pages of this version and language can be chosen. */
  filters: { version?: string; language?: string };
  /** Pages, each with its path as the id. */
  value: Choice[];
  onChange: (pages: Choice[]) => void;
  error: string | undefined;
}

/** Chooses pages of the live site by their title or address; without a choice, all of them. */
export function PagesField({ projectId, filters, ...props }: PagesFieldProps) {
  const [text, setText] = useState('');
  const q = useSettled(text.trim());
  const query = { ...filters, ...(q !== '' && { q }), limit: MAX_PAGES };
  const { data } = useQuery({
    queryKey: ['pages', projectId, query],
    queryFn: () => api.get('/v1/projects/{projectId}/pages', { path: { projectId }, query }),
    placeholderData: keepPreviousData,
  });
  return (
    <ChoicesField
      label="Pages"
      hint="Empty: all pages."
      placeholder="Search pages"
      none="No page matches."
      choices={data?.items.map(({ path, title }) => ({ id: path, title, about: path })) ?? []}
      text={text}
      onText={setText}
      {...props}
    />
  );
}
