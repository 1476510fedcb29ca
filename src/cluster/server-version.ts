import { packageVersion } from '../base/package-version.ts'
import type { VersionInfo } from '../server/contract.ts'

/** The Kubernetes version whose API is served; clients choose what they do by it. */
export function serverVersion(minor = '32'): VersionInfo {
  return { major: '1', minor, gitVersion: `v1.${minor}.4+tenant.${packageVersion()}` }
}
