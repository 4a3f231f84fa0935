import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { sitesKey, useOrganization } from '../../api/queries.ts';
import { type Choice, ChoicesField } from '../../ui/choices-field.tsx';
import { useSettled } from '../../ui/use-settled.ts';

/** Maximum number of sites that one search shows. */
const MAX_SITES = 50;

interface SitesFieldProps {
  /** Sites, each with its project id. */
  value: Choice[];
  onChange: (sites: Choice[]) => void;
  error: string | undefined;
}

/** Chooses sites of the organization by their name or identifier; without a choice, all of them. */
export function SitesField(props: SitesFieldProps) {
  const { slug: org } = useOrganization();
  const [text, setText] = useState('');
  const q = useSettled(text.trim());
  const query = { ...(q !== '' && { q }), sort: 'name', limit: MAX_SITES } as const;
  const { data } = useQuery({
    queryKey: [...sitesKey(org), 'search', query],
    queryFn: () => api.get('/v1/projects', { query }),
    placeholderData: keepPreviousData,
  });
  return (
    <ChoicesField
      label="Sites"
      hint="The key is bound to these sites. Empty: every site."
      placeholder="Search sites"
      none="No site matches."
      choices={
        data?.projects.map(({ projectId, name, slug }) => ({
          id: projectId,
          title: name,
          about: slug,
        })) ?? []
      }
      text={text}
      onText={setText}
      {...props}
    />
  );
}
