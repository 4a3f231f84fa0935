type Field = HTMLInputElement | HTMLTextAreaElement;

/** Input of readers in the build's HTML before the component was hydrated. */
export interface WrittenValues {
  /** Replays it to the component. */
  releaseJob(): void;
}

export function takeWrittenValues(place: Element): WrittenValues {
  const fields = [...place.querySelectorAll<Field>('input:not([type=file]), textarea')].filter(isChanged);
  const values = fields.map((field) => ({ field, value: field.value, isTicked: isBox(field) && field.checked }));
  return {
    releaseJob() {
      for (const { field, value, isTicked } of values) {
        if (!field.isConnected) continue;
        if (isBox(field)) {
          // Checkbox components listen for clicks.
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
