import type { CelType } from '../type.ts'
import { type CelValue, typeNameOf } from '../value.ts'

/** Whether a function for this type accepts the value. The content of lists and maps is not checked. */
export function acceptsValue(type: CelType, value: CelValue): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'parameter':
      return true
    case 'struct':
      return typeNameOf(value) === type.name || (typeof value === 'object' && value?.kind === 'map')
    default:
      return typeNameOf(value) === type.name
  }
}
