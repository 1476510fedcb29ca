import type { Chance } from '../../../support/chance.ts'
import { isReady, type Seen, takenMark } from '../checker/history.ts'
import { type DeploymentChoice, deployment, job, jobPodLabel, newTemplate, node, statefulSet } from './objects.ts'
import { deployments, jobs, mergePatch, nodes, pods, statefulSets } from './paths.ts'
import type { Servers } from './servers.ts'

const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
})

const deploymentChoices: readonly DeploymentChoice[] = [
  { name: 'surging', strategy: rolling(2, 0) },
  { name: 'shrinking', strategy: rolling(0, 1) },
  { name: 'percents', strategy: rolling('25%', '25%') },
  { name: 'recreated', strategy: { type: 'Recreate' } },
]

const setChoices = [
  { name: 'ordered', policy: 'OrderedReady' },
  { name: 'parallel', policy: 'Parallel' },
] as const

const strategies = [rolling(1, 0), rolling(0, 2), rolling(2, 1), rolling('50%', '50%'), rolling('10%', '0%')] as const
const mostJobs = 6

export interface ChangesOptions {
  readonly servers: Servers
  readonly chance: Chance
  readonly seen: (kind: string) => readonly Seen[]
}

/** Random changes of workloads by users. Each change may be lost together with its server. */
export class Changes {
  readonly #options: ChangesOptions
  #version = 0
  #jobs = 0

  constructor(options: ChangesOptions) {
    this.#options = options
  }

  /** All workloads must exist before anything fails. */
  async begin(): Promise<void> {
    const client = await this.#options.servers.client()
    await client.must('POST', nodes, node)
    for (const choice of deploymentChoices) await client.must('POST', deployments, deployment(choice))
    for (const { name, policy } of setChoices) await client.must('POST', statefulSets, statefulSet(name, policy))
  }

  async next(): Promise<void> {
    const { chance } = this.#options
    const change = chance.pick([
      () => this.#scale(),
      () => this.#scale(),
      () => this.#rollOut(),
      () => this.#rollOut(),
      () => this.#changeStrategy(),
      () => this.#pauseOrResume(),
      () => this.#makeJob(),
      () => this.#changeJob(),
      () => this.#deleteJob(),
      () => this.#takePod(),
      () => this.#disturbPod(),
    ])
    await change()
  }

  /** Resumes everything that is paused or suspended. */
  async finish(): Promise<void> {
    for (const { name } of deploymentChoices) {
      await this.#certainly(`${deployments}/${name}`, { spec: { paused: false } })
    }
    for (const { metadata } of this.#options.seen('Job')) {
      await this.#certainly(`${jobs}/${metadata.name}`, { spec: { suspend: false, parallelism: 2 } })
    }
  }

  async #certainly(path: string, change: object): Promise<void> {
    while ((await this.#patch(path, change)) === undefined);
  }

  #patch(path: string, change: object) {
    return this.#options.servers.ask('PATCH', path, change, mergePatch)
  }

  async #scale(): Promise<void> {
    await this.#patch(this.#anyRollout().path, { spec: { replicas: Math.floor(this.#options.chance.between(0, 8)) } })
  }

  async #rollOut(): Promise<void> {
    const { path, name } = this.#anyRollout()
    await this.#patch(path, newTemplate(name, ++this.#version))
  }

  async #changeStrategy(): Promise<void> {
    const { chance } = this.#options
    const name = chance.pick(['surging', 'shrinking', 'percents'])
    await this.#patch(`${deployments}/${name}`, { spec: { strategy: chance.pick(strategies) } })
  }

  async #pauseOrResume(): Promise<void> {
    const { chance } = this.#options
    const paused = chance.next() < 0.4
    await this.#patch(`${deployments}/${chance.pick(['surging', 'shrinking'])}`, { spec: { paused } })
  }

  async #makeJob(): Promise<void> {
    const { chance, servers, seen } = this.#options
    if (seen('Job').length >= mostJobs) return
    const completionMode = chance.pick(['NonIndexed', 'Indexed'])
    const [completions, parallelism] = [Math.ceil(chance.between(0, 6)), Math.ceil(chance.between(0, 3))]
    const name = `job-${++this.#jobs}`
    await servers.ask('POST', jobs, job({ name, completions, parallelism, completionMode }))
  }

  async #changeJob(): Promise<void> {
    const { chance } = this.#options
    const found = this.#any('Job')
    if (found === undefined) return
    const parallelism = Math.ceil(chance.between(0, 3))
    const spec = chance.next() < 0.5 ? { parallelism } : { suspend: chance.next() < 0.5 }
    await this.#patch(`${jobs}/${found.metadata.name}`, { spec })
  }

  async #deleteJob(): Promise<void> {
    const found = this.#any('Job')
    if (found === undefined || this.#options.chance.next() < 0.5) return
    await this.#options.servers.ask('DELETE', `${jobs}/${found.metadata.name}`, { propagationPolicy: 'Background' })
  }

  /** Marks the Pod first: no controller is responsible for its deletion. */
  async #takePod(): Promise<void> {
    const pod = this.#any('Pod')
    if (pod === undefined) return
    const { name, uid } = pod.metadata
    const annotations = { [takenMark]: 'true' }
    const marked = await this.#patch(`${pods}/${name}`, { metadata: { uid, annotations } })
    if (marked === undefined || marked.status >= 300) return
    await this.#options.servers.ask('DELETE', `${pods}/${name}`, { preconditions: { uid } })
  }

  async #disturbPod(): Promise<void> {
    const ready = this.#options.seen('Pod').filter(isReady)
    const pod = this.#one(ready.filter(({ metadata }) => metadata.labels?.[jobPodLabel] === undefined))
    if (pod === undefined) return
    const { name, uid } = pod.metadata
    const status = { conditions: [{ type: 'Ready', status: 'False' }] }
    await this.#patch(`${pods}/${name}/status`, { metadata: { uid }, status })
  }

  #anyRollout(): { readonly path: string; readonly name: string } {
    const { chance } = this.#options
    const all = [
      ...deploymentChoices.map(({ name }) => ({ path: `${deployments}/${name}`, name })),
      ...setChoices.map(({ name }) => ({ path: `${statefulSets}/${name}`, name })),
    ]
    const [first = { path: '', name: '' }, ...others] = all
    return chance.pick([first, ...others])
  }

  #any(kind: string): Seen | undefined {
    return this.#one(this.#options.seen(kind))
  }

  #one<T>(all: readonly T[]): T | undefined {
    const [first, ...others] = all
    return first === undefined ? undefined : this.#options.chance.pick([first, ...others])
  }
}
