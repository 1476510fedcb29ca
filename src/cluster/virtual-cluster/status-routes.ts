import type { ExtraRoute } from '../../server/contract.ts'
import { jsonResponse } from '../../server/responses.ts'

/** How the tenant is doing. */
export interface TenantStatus {
  debug(): unknown
  metrics(): Promise<string>
  isReady(): boolean
}

/** Who asks has been authorized for the path. */
export function statusRoute(status: TenantStatus): ExtraRoute {
  return ({ info }) =>
    info.form === 'path' && info.path === '/debug/sync' && info.verb === 'get'
      ? () => jsonResponse(200, status.debug())
      : undefined
}
