/** The view model of a schema: built by `read-schema.ts`, rendered as HTML and Markdown. */
export interface SchemaView {
  /** `string<date-time>`, `object`, `User[] | null` … */
  type: string;
  /** The same in pieces, if names in it have pages of their own. */
  typeParts?: readonly TypePart[];
  description?: string;
  deprecated: boolean;
  readOnly: boolean;
  writeOnly: boolean;
  /** Limits, defaults, examples. */
  facts: SchemaFact[];
  /** The first allowed values. */
  values: string[];
  /** Number of further allowed values. */
  moreValueCount: number;
  /** Properties, or those of the items if the type is a list. */
  fields: SchemaField[];
  /** Each group holds alternatives, one of which applies (`oneOf`, `anyOf`). */
  choices: SchemaChoice[][];
  /**
   * The page that describes its contents, if this one only lists the names of its fields (once).
   */
  elsewhere?: { name: string; path: string; fieldCount: number; names: string };
  /** What was left out, and why. */
  notes: string[];
  /** Custom labels of the author (`x-mint.pre`, `x-mint.post`). */
  labelsBefore: string[];
  labelsAfter: string[];
}

/** A piece of a type as it is written. */
export interface TypePart {
  text: string;
  /** Site path of the page of the named schema. */
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

/** A view with only a type and notes. */
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

/** Returns whether a schema has nothing to show but its type. */
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
