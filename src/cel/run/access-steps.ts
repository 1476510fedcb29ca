import type { Meter } from '../meter.ts'
import { type CelResult, type CelValue, isFailure, noSuchOverload } from '../value.ts'
import { fieldOf } from './access.ts'
import { foundIn } from './found-in.ts'
import type { Step } from './step.ts'

type Access = (container: CelValue, key: CelValue, meter: Meter) => CelResult

export function accessStep(container: Step, key: Step, access: Access): Step {
  return (frame) => {
    const value = container(frame)
    if (isFailure(value)) return value
    const at = key(frame)
    if (isFailure(at)) return at
    frame.meter.charge(1)
    return access(value, at, frame.meter)
  }
}

export function fieldStep(operand: Step, field: string): Step {
  return (frame) => {
    const value = operand(frame)
    if (isFailure(value)) return value
    frame.meter.charge(1)
    return fieldOf(value, field, frame.meter)
  }
}

/** `has(a.b)`. */
export function fieldTestStep(operand: Step, field: string): Step {
  return (frame) => isThere(operand(frame), field, frame.meter)
}

function isThere(operand: CelResult, field: string, meter: Meter): CelResult {
  if (isFailure(operand)) return operand
  const value = typeof operand === 'object' && operand?.kind === 'optional' ? operand.value : operand
  if (value === undefined) return false
  if (typeof value !== 'object' || value?.kind !== 'map') return noSuchOverload
  const found = foundIn(value, field, meter)
  return found !== undefined && isFailure(found) ? found : found !== undefined
}
