import { ApiError, isRefusal } from '../../api/error.ts'

/** Nothing more can be created there, and there is nothing to report. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (isRefusal(error, 404) && error.status.details?.kind === 'namespaces') return true
  const causes = error instanceof ApiError ? (error.status.details?.causes ?? []) : []
  return causes.some(({ reason }) => reason === 'NamespaceTerminating')
}

/** Another object has the name, or a deleted one still has it. */
export function isNameTaken(error: unknown): boolean {
  return isRefusal(error, 409) && error.status.reason === 'AlreadyExists'
}
