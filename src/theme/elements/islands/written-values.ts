type Field = HTMLInputElement | HTMLTextAreaElement;

/** What readers wrote or ticked in fields of the build's HTML, before the component behind them had come to life. */
export interface WrittenValues {
  /** Gives it to the component, as if the reader did it now. */
  giveBack(): void;
}

export function takeWrittenValues(place: Element): WrittenValues {
  const fields = [...place.querySelectorAll<Field>('input:not([type=file]), textarea')].filter(isChanged);
  const values = fields.map((field) => ({ field, value: field.value, isTicked: isBox(field) && field.checked }));
  return {
    giveBack() {
      for (const { field, value, isTicked } of values) {
        if (!field.isConnected) continue;
        if (isBox(field)) {
          // A click is what a component of boxes hears.
          if (field.checked !== isTicked) field.click();
          continue;
        }
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    },
  };
}

function isBox(field: Field): field is HTMLInputElement {
  return field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');
}

function isChanged(field: Field): boolean {
  return isBox(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}
