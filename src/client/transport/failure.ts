import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'
import { KubeconfigError } from '../kubeconfig/contract.ts'

/** Why a request failed, in readable form. The caller's own abort reason is kept. */
export function failureOf(error: unknown, origin: string, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason
  if (error instanceof ConnectionError || error instanceof KubeconfigError) return error
  return connectionFailure(origin, error)
}
