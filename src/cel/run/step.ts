import type { Meter } from '../meter.ts'
import type { CelResult } from '../value.ts'

/** The values of variables while an expression is evaluated. */
export interface Frame {
  readonly slots: CelResult[]
  readonly meter: Meter
}

export type Step = (frame: Frame) => CelResult
