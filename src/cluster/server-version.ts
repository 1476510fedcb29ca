import { packageVersion } from '../base/package-version.ts'
import type { VersionInfo } from '../server/contract.ts'

/** The Kubernetes version of the served API; clients adapt to it. */
export function serverVersion(minor = '32'): VersionInfo {
  return { major: '1', minor, gitVersion: `v1.${minor}.4+tenant.${packageVersion()}` }
}

/** For the engine alone, which replaces a kube-apiserver: clients that compare versions find the one they know. */
export function imitatedVersion(): VersionInfo {
  return { ...serverVersion(), gitVersion: 'v1.32.4' }
}
