import { packageVersion } from '../base/package-version.ts'
import type { VersionInfo } from '../server/contract.ts'

/** The Kubernetes version whose API is served; clients choose what they do by it. */
export function serverVersion(minor = '32'): VersionInfo {
  return { major: '1', minor, gitVersion: `v1.${minor}.4+tenant.${packageVersion()}` }
}

/** Of the engine alone, which stands in for a kube-apiserver: clients that compare versions find the one that they know. */
export function imitatedVersion(): VersionInfo {
  return { ...serverVersion(), gitVersion: 'v1.32.4' }
}
