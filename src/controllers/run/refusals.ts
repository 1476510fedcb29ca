import { ApiError, isRefusal } from '../../api/error.ts'

/** Nothing can be created there any more, and there is nothing to tell. */
export function isNamespaceGoing(error: unknown): boolean {
  if (isRefusal(error, 404) && error.status.details?.kind === 'namespaces') return true
  const causes = error instanceof ApiError ? (error.status.details?.causes ?? []) : []
  return causes.some(({ reason }) => reason === 'NamespaceTerminating')
}

/** Another object has the name, or has it still. */
export function isNameTaken(error: unknown): boolean {
  return isRefusal(error, 409) && error.status.reason === 'AlreadyExists'
}
