import type { CelType } from '../type.ts'
import { type CelValue, typeNameOf } from '../value.ts'

/** Whether a function that takes values of a type takes this one. What lies in lists and maps is not looked at. */
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
