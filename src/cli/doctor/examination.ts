import type { KubeObject } from '../../api/object.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { Clock } from '../../base/clock.ts'
import type { JsonBody } from '../../client/command/api-client.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import type { PlatformKey } from '../../tenant/platform-key/contract.ts'
import type { LocalTenant } from '../local-platforms/local-tenant.ts'
import type { Self } from '../platform/self.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { CheckName, DoctorFinding } from './finding.ts'

/** The subject of the examination, and what the checks have learned so far. */
export interface Examination {
  readonly name: string
  readonly namespace: string
  readonly terminal: Terminal
  readonly clock: Clock
  /** The host cluster of the kubeconfig. */
  readonly cluster: KubeClient
  /** Access to it, for requests beyond objects. */
  readonly access: ClusterAccess
  /** The same client, once the host has answered. */
  readonly host?: KubeClient
  /** Set if `tenant up` runs the virtual cluster. */
  readonly local?: LocalTenant
  readonly config?: EffectiveConfig
  /** A kubeconfig file for the virtual cluster. */
  readonly virtualKubeconfig?: string
  /** The StatefulSet, if a cluster runs the virtual cluster. */
  readonly set?: KubeObject
  readonly key?: PlatformKey
  /** The platform answers, and can be trusted. */
  readonly isReached?: true
  readonly domain?: string
  readonly self?: Self
  readonly project?: string
  readonly instance?: JsonBody
}

export interface CheckResult {
  readonly finding: DoctorFinding
  readonly learned?: Partial<Examination>
}

export interface DoctorCheck {
  readonly name: CheckName
  /** What must be known; otherwise the check is skipped. */
  readonly needs: readonly (keyof Examination)[]
  run(known: Examination): Promise<CheckResult>
}

/** One after the other; each check knows what the earlier ones have learned. */
export async function examine(start: Examination, checks: readonly DoctorCheck[]): Promise<readonly DoctorFinding[]> {
  let known = start
  const findings: DoctorFinding[] = []
  for (const check of checks) {
    const isPossible = check.needs.every((need) => known[need] !== undefined)
    const { finding, learned } = isPossible ? await check.run(known) : notPossible(check)
    findings.push(finding)
    known = { ...known, ...learned }
  }
  return findings
}

function notPossible({ name }: DoctorCheck): CheckResult {
  return { finding: { check: name, state: 'skipped', detail: 'an earlier check failed: fix that first' } }
}

/** For code that runs only if the value is known. */
export function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A check ran without what it needs.')
  return value
}
