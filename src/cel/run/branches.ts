import { isFailure, noSuchOverload } from '../value.ts'
import type { Step } from './step.ts'

/** Either side decides if it can, whatever the other one is. */
export function logicalStep(left: Step, right: Step, decisive: boolean): Step {
  return (frame) => {
    const first = left(frame)
    if (first === decisive) return decisive
    const second = right(frame)
    if (second === decisive) return decisive
    if (isFailure(first)) return first
    if (isFailure(second)) return second
    return typeof first === 'boolean' && typeof second === 'boolean' ? !decisive : noSuchOverload
  }
}

export function conditionalStep(condition: Step, yes: Step, no: Step): Step {
  return (frame) => {
    const chosen = condition(frame)
    if (isFailure(chosen)) return chosen
    if (typeof chosen !== 'boolean') return noSuchOverload
    return chosen ? yes(frame) : no(frame)
  }
}

/** Loops continue until there is a decision; an error is not one. */
export function notStrictlyFalseStep(value: Step): Step {
  return (frame) => {
    frame.meter.charge(1)
    return value(frame) !== false
  }
}

/** `a.or(b)` and `a.orValue(b)`: the other one is evaluated only if needed. */
export function optionalElseStep(optional: Step, other: Step, isUnwrapped: boolean): Step {
  return (frame) => {
    const value = optional(frame)
    if (isFailure(value)) return value
    if (typeof value !== 'object' || value?.kind !== 'optional') return noSuchOverload
    frame.meter.charge(1)
    if (value.value === undefined) return other(frame)
    return isUnwrapped ? value.value : value
  }
}
