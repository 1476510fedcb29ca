/** Thrown where expressions are too many or too large to be read. */
export class EffortSpent extends Error {
  constructor() {
    super('the expressions are too many or too large to be compiled; make them shorter, or fewer')
  }
}

/** What it may still cost to compile the expressions of one object. A step is about a microsecond at most. */
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
