/** A schema as readers see it: what `read-schema.ts` makes and the HTML and Markdown renderers show. */
export interface SchemaView {
  /** `string<date-time>`, `object`, `User[] | null` … */
  type: string;
  /** The same in pieces, where names in it have pages of their own. */
  typeParts?: readonly TypePart[];
  description?: string;
  deprecated: boolean;
  readOnly: boolean;
  writeOnly: boolean;
  /** Limits, defaults, examples. */
  facts: SchemaFact[];
  /** Allowed values, the first of them. */
  values: string[];
  /** How many more allowed values there are. */
  moreValueCount: number;
  /** Properties, or those of the items where the type is a list. */
  fields: SchemaField[];
  /** Each group holds alternatives of which one applies (`oneOf`, `anyOf`). */
  choices: SchemaChoice[][];
  /** The page that shows what it holds, where this one does not. */
  elsewhere?: { name: string; path: string; fieldCount: number };
  /** What was left out and why. */
  notes: string[];
  /** Labels of the author's own (`x-mint.pre`, `x-mint.post`). */
  labelsBefore: string[];
  labelsAfter: string[];
}

/** A piece of a type as it is written. */
export interface TypePart {
  text: string;
  /** Site path of the page of what the text names. */
  path?: string;
}

export interface SchemaFact {
  label: string;
  value: string;
}

export interface SchemaField {
  name: string;
  required: boolean;
  schema: SchemaView;
}

export interface SchemaChoice {
  label: string;
  schema: SchemaView;
}

/** A view with nothing in it but its type and notes. */
export function plainView(type: string, ...notes: string[]): SchemaView {
  return {
    type,
    deprecated: false,
    readOnly: false,
    writeOnly: false,
    facts: [],
    values: [],
    moreValueCount: 0,
    fields: [],
    choices: [],
    notes,
    labelsBefore: [],
    labelsAfter: [],
  };
}

/** Whether there is nothing to show of a schema but its type. */
export function isBare(view: SchemaView): boolean {
  return (
    view.description === undefined &&
    view.facts.length === 0 &&
    view.values.length === 0 &&
    view.fields.length === 0 &&
    view.choices.length === 0 &&
    view.elsewhere === undefined &&
    view.notes.length === 0
  );
}
