import type { EvaluationResult } from '../expression/contract.ts'

export type Evaluated =
  /** `undefined` means that the field is removed. */
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

export function evaluatedFrom(result: EvaluationResult): Evaluated {
  switch (result.state) {
    case 'value':
      return { ok: true, value: result.value }
    case 'removed':
      return { ok: true, value: undefined }
    case 'failed':
      return { ok: false, message: result.message }
  }
}
