import type { EvaluationResult } from '../expression/contract.ts'
import { isTooDeep, maxDepth } from './depth.ts'

export type Evaluated =
  /** `undefined` means that the field goes. */
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

export function evaluatedFrom(result: EvaluationResult): Evaluated {
  switch (result.state) {
    case 'removed':
      return { ok: true, value: undefined }
    case 'failed':
      return { ok: false, message: result.message }
    case 'value':
      return isTooDeep(result.value)
        ? { ok: false, message: `the result is nested deeper than ${maxDepth} levels` }
        : { ok: true, value: result.value }
  }
}
