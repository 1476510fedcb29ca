import type { CelOverload } from '../environment.ts'
import { type CelFailure, type CelValue, failure, isFailure, noSuchOverload, typeNameOf } from '../value.ts'
import { acceptsValue } from './accepts.ts'
import type { Frame, Step } from './step.ts'

/** A call of a function that is known before there are values. */
export function directCall(overload: CelOverload, steps: readonly Step[]): Step {
  const { call, cost } = overload
  if (call === undefined) return () => noSuchOverload
  const [first, second] = steps
  if (steps.length === 2 && first !== undefined && second !== undefined) {
    return (frame) => {
      const left = first(frame)
      if (isFailure(left)) return left
      const right = second(frame)
      if (isFailure(right)) return right
      const args = [left, right]
      frame.meter.charge(cost === undefined ? 1 : cost(args))
      return call(args, frame.meter)
    }
  }
  return (frame) => {
    const args = evaluated(steps, frame)
    if (!Array.isArray(args)) return args
    frame.meter.charge(cost === undefined ? 1 : cost(args))
    return call(args, frame.meter)
  }
}

function evaluated(steps: readonly Step[], frame: Frame): CelValue[] | CelFailure {
  const args: CelValue[] = []
  for (const step of steps) {
    const value = step(frame)
    if (isFailure(value)) return value
    args.push(value)
  }
  return args
}

/** The values determine which function is called. */
export function dispatchedCall(name: string, overloads: readonly CelOverload[], steps: readonly Step[]): Step {
  return (frame) => {
    const args = evaluated(steps, frame)
    if (!Array.isArray(args)) return args
    const overload = overloads.find(({ parameters }) =>
      parameters.every((type, index) => acceptsValue(type, args[index] ?? null)),
    )
    if (overload?.call === undefined) return noOverload(name, args)
    frame.meter.charge(overload.cost === undefined ? 1 : overload.cost(args))
    return overload.call(args, frame.meter)
  }
}

function noOverload(name: string, args: readonly CelValue[]): CelFailure {
  if (!/^\w/.test(name) || name.startsWith('_')) return noSuchOverload
  return failure(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`)
}
