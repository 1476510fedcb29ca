/** Thrown if expressions are too many or too large to be compiled. */
export class EffortSpent extends Error {
  constructor() {
    super('the expressions are too many or too large to be compiled; make them shorter, or fewer')
  }
}

/** What compiling the expressions of one object may still cost. A step takes a microsecond at most. */
export interface CompileEffort {
  readonly spend: (steps: number) => void
}

export function compileEffort(steps: number): CompileEffort {
  let left = steps
  return {
    spend: (spent) => {
      left -= spent
      if (left < 0) throw new EffortSpent()
    },
  }
}
