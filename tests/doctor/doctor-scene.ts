import { expect } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { DoctorFinding } from '../../src/cli/doctor/finding.ts'
import type { KubeClient } from '../../src/client/contract.ts'
import type { HeldLicense } from '../../src/platform/license/license-holder.ts'
import { clientOf, makeWorkplace, type Workplace } from '../create/workplace.ts'
import { management, startPlatform, type TestPlatform, userNamed } from '../platform/platform.ts'
import { setInstanceStatus } from '../platform/set-instance-status.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'
import type { SharedKubernetes } from '../support/shared/contract.ts'

export const secretName = 'tenant-platform-api-key'
export const licensed: HeldLicense = {
  state: 'valid',
  license: { id: 'a', issuedTo: 'Example', features: ['platform-link'], limits: {}, issuedAtMs: 0 },
}

/** The spec of a key with which virtual clusters link themselves. */
export const tenantScope = (projects: readonly string[]) => ({ scope: { roles: [{ role: 'tenant', projects }] } })

/** What tests change about the platform while it runs. */
interface Conditions {
  /** How far ahead its clock is. */
  laterMs: number
  license: HeldLicense
}

/** A host with virtual clusters that `tenant doctor` looks at, and the platform that they link themselves to. */
export class DoctorScene {
  readonly kubernetes: SharedKubernetes
  readonly host: KubeClient
  readonly platform: TestPlatform
  readonly conditions: Conditions
  /** Names of virtual clusters begin with it; no other suite has it. */
  readonly #prefix: string
  #place: Workplace
  #made = 0
  readonly #shown: string[] = []
  readonly #keys: string[] = []

  private constructor(prefix: string, parts: Pick<DoctorScene, 'kubernetes' | 'host' | 'platform' | 'conditions'>) {
    this.#prefix = prefix
    this.kubernetes = parts.kubernetes
    this.host = parts.host
    this.platform = parts.platform
    this.conditions = parts.conditions
    this.#place = makeWorkplace(parts.kubernetes.kubeconfig)
  }

  static async open(prefix: string): Promise<DoctorScene> {
    const kubernetes = await askForShared('kubernetes')
    const host = await clientOf(kubernetes.kubeconfig)
    const conditions: Conditions = { laterMs: 0, license: licensed }
    const license = { document: undefined, issuer: undefined, check: () => conditions.license }
    const platform = await startPlatform({
      clock: { now: () => systemClock.now() + conditions.laterMs },
      platform: { domain: 'platform.internal', license },
    })
    await platform.must('POST', `${management}/users`, userNamed('ada'))
    const spec = { members: [{ kind: 'User', name: 'ada', role: 'admin' }] }
    await platform.must('POST', `${management}/projects`, { metadata: { name: 'shop' }, spec })
    const first = await platform.must('GET', `${management}/projects/default`)
    await platform.must('PUT', `${management}/projects/default`, { ...first, spec })
    return new DoctorScene(prefix, { kubernetes, host, platform, conditions })
  }

  get place(): Workplace {
    return this.#place
  }

  /** Replaces the home directory, for the next test. */
  renewPlace(): void {
    this.#place.remove()
    this.#place = makeWorkplace(this.kubernetes.kubeconfig)
  }

  async close(): Promise<void> {
    for (const key of this.#keys) expect(this.#shown.join('')).not.toContain(key)
    this.#place.remove()
    await this.host.close()
    await this.platform.stop()
  }

  /** A virtual cluster with a configuration, and a name that no other test has. */
  async deployed(config = 'external: {platform: {}}\n'): Promise<string> {
    this.#made += 1
    const name = `${this.#prefix}${this.#made}`
    const file = this.place.file('tenant.yaml', config)
    const { exitCode, stderr } = await this.place.tenant(['create', name, '--no-wait', '-f', file])
    if (exitCode !== 0) throw new Error(stderr)
    return name
  }

  async putSecret(namespace: string, name: string, entries: Readonly<Record<string, string>>): Promise<void> {
    const type = await this.host.served.find('', 'secrets')
    if (type === undefined) throw new Error('no secrets')
    const data = Object.fromEntries(
      Object.entries(entries).map(([entry, value]) => [entry, Buffer.from(value).toString('base64')]),
    )
    await this.host.apply(
      type,
      { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data },
      { fieldManager: 'test', force: true },
    )
  }

  rightEntries(accessKey: string) {
    const { url: host, authority: certificateAuthorityData } = this.platform.server
    return { accessKey, host, certificateAuthorityData }
  }

  async newKey(spec: object = tenantScope(['*'])): Promise<string> {
    const key = await this.platform.keyOf('ada', spec)
    this.#keys.push(key)
    return key
  }

  /** A virtual cluster whose Secret holds a working key. */
  async withKey(key: string, entries: Readonly<Record<string, string>> = {}, config?: string): Promise<string> {
    const name = await this.deployed(config)
    await this.putSecret(`tenant-${name}`, secretName, { ...this.rightEntries(key), ...entries })
    return name
  }

  async doctor(name: string, ...more: readonly string[]) {
    const { exitCode, stdout, stderr } = await this.place.tenant(['doctor', name, '-o', 'json', ...more])
    this.#shown.push(stdout, stderr)
    if (stdout === '') throw new Error(stderr)
    const findings: readonly DoctorFinding[] = JSON.parse(stdout).findings
    return { exitCode, of: (check: string) => findings.find((finding) => finding.check === check), findings }
  }

  /** Writes the status that the link would write. */
  async setStatus(project: string, name: string, status: object): Promise<void> {
    const path = `${management}/namespaces/p-${project}/virtualclusterinstances`
    await this.platform.ask('POST', path, {
      body: { apiVersion: `${management.slice(6)}`, kind: 'VirtualClusterInstance', metadata: { name } },
    })
    await setInstanceStatus(this.platform, { namespace: `p-${project}`, name }, status)
  }
}
