import type { InputShape } from '../../../../core/api-reference/playground/request-inputs.ts';
import type { Control, ControlPlace, FormFrame } from './control.ts';
import { checksControl, listControl, objectControl, variantsControl } from './group-controls.ts';
import { choiceControl, fileControl, jsonControl, numberControl, textControl } from './scalar-controls.ts';

/** Creates the control for values of a shape. Its initial value is the default of the shape. */
export function makeControl(frame: FormFrame, shape: InputShape, place: ControlPlace): Control {
  const control = emptyControl(frame, shape, place);
  if (shape.default === undefined || shape.constant !== undefined) return control;
  control.write(shape.default);
  const preset = JSON.stringify(control.read());
  return { ...control, isUntouched: () => [preset, undefined].includes(JSON.stringify(control.read())) };
}

function emptyControl(frame: FormFrame, shape: InputShape, place: ControlPlace): Control {
  const inner = (inside: InputShape, at: ControlPlace): Control => makeControl(frame, inside, at);
  if (shape.constant !== undefined) return choiceControl(frame, shape, place);
  switch (shape.kind) {
    case 'object':
      return objectControl(frame, shape, place, inner);
    case 'list':
      if (shape.item?.kind === 'choice' && shape.item.values) return checksControl(frame, shape.item.values, place);
      return listControl(frame, shape, place, inner);
    case 'variants':
      return variantsControl(frame, shape, place, inner);
    case 'integer':
    case 'number':
      return numberControl(frame, shape, place);
    case 'boolean':
    case 'choice':
      return choiceControl(frame, shape, place);
    case 'file':
      return fileControl(frame, shape, place);
    case 'json':
      return jsonControl(frame, shape, place);
    case 'text':
      return textControl(frame, shape, place);
  }
}
