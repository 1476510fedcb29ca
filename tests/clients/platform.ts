import { coreKinds } from '../../src/api/core/kinds.ts'
import { managementKinds } from '../../src/api/management/kinds.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'

const domain = 'platform.internal'
export const managementGroup = `management.${domain}`

/** A server with all APIs of a platform. */
export function startPlatform(): Promise<TestServer> {
  return startTestServer({ kinds: [...coreKinds(), ...managementKinds(domain)] })
}
