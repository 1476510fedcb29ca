import type { ExtraRoute } from '../../server/contract.ts'
import { jsonResponse } from '../../server/responses/responses.ts'

/** The state of the tenant. */
export interface TenantStatus {
  debug(): unknown
  metrics(): Promise<string>
  isReady(): boolean
}

/** The caller was authorized for the path. */
export function statusRoute(status: TenantStatus): ExtraRoute {
  return ({ info }) =>
    info.form === 'path' && info.path === '/debug/sync' && info.verb === 'get'
      ? () => jsonResponse(200, status.debug())
      : undefined
}
