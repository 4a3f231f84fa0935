import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { AssistantMessages } from './messages.ts';
import { zh } from './zh.ts';

const CATALOGUES: ReadonlyMap<string, AssistantMessages> = new Map(Object.entries({ de, en, es, fr, ja, zh }));

/** The texts in the language of a tag (`fr-CA`); English where there are none. */
export function assistantMessages(tag: string): AssistantMessages {
  return CATALOGUES.get(tag.split('-')[0]?.toLowerCase() ?? '') ?? en;
}

/** Every catalogue by its code, for the check that none lacks or invents a value. */
export function assistantCatalogues(): ReadonlyMap<string, AssistantMessages> {
  return CATALOGUES;
}
