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

/** What is examined, and what the checks have learned so far. */
export interface Examination {
  readonly name: string
  readonly namespace: string
  readonly terminal: Terminal
  readonly clock: Clock
  /** The host cluster as the kubeconfig names it. */
  readonly cluster: KubeClient
  /** The way there, for what no client of objects asks. */
  readonly access: ClusterAccess
  /** The same, once it has answered. */
  readonly host?: KubeClient
  /** Set where `tenant up` runs the virtual cluster. */
  readonly local?: LocalTenant
  readonly config?: EffectiveConfig
  /** A file by which the virtual cluster is reached. */
  readonly virtualKubeconfig?: string
  /** The StatefulSet, if a cluster runs the virtual cluster. */
  readonly set?: KubeObject
  readonly key?: PlatformKey
  /** The platform answers, and may be trusted. */
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
  /** What has to be known; without it the check is skipped. */
  readonly needs: readonly (keyof Examination)[]
  run(known: Examination): Promise<CheckResult>
}

/** One after the other; what one learns the next ones know. */
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
  return { finding: { check: name, state: 'skipped', detail: 'what comes before has to be put right first' } }
}

/** For what only runs where it is known to be. */
export function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A check ran without what it needs.')
  return value
}
