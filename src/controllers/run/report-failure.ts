import { ApiError } from '../../api/error.ts'
import type { ReportError } from '../../registry/controllers/controller.ts'
import { NotLeading } from './leading.ts'

/**
 * Reports what is wrong with the engine. Refusals are the user's to read, in Events and conditions, and what this replica
 * did not get to is looked at by the next leader.
 */
export function reporting(controller: string, report: ReportError): (name: string, error: unknown) => void {
  return (name, error) => {
    const isExpected = error instanceof NotLeading || (error instanceof ApiError && error.code < 500)
    if (!isExpected) report(controller, name, error)
  }
}
