import { ApiError } from '../../api/error.ts'
import type { ReportError } from '../../registry/controllers/controller.ts'
import { NotLeading } from './leading.ts'

/**
 * Reports problems of the engine. Users read refusals in Events and conditions, and the next leader handles what this
 * replica did not.
 */
export function reporting(controller: string, report: ReportError): (name: string, error: unknown) => void {
  return (name, error) => {
    const isExpected = error instanceof NotLeading || (error instanceof ApiError && error.code < 500)
    if (!isExpected) report(controller, name, error)
  }
}
