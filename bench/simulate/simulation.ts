import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../src/base/clock.ts'
import { instances } from '../../tests/link/support.ts'
import { type Asking, Callers } from './callers.ts'
import { type Holder, type LinkHistory, tenantName } from './contract.ts'
import { etcdUsage } from './etcd-usage.ts'
import { startHolderProcess } from './holder-process.ts'
import type { SimulationOptions } from './options.ts'
import { type Setting, simulatedProject, startSetting } from './setting.ts'
import { TenantHolder } from './tenant-holder.ts'

/** The platform with that many idle tenants. All replicas together. */
export interface SizeResult {
  readonly tenants: number
  readonly heapBytes: number
  readonly externalBytes: number
  readonly residentBytes: number
  /** The share of one core. */
  readonly idleCpuShare: number
  readonly idleWritesPerSecond: number
  readonly etcdCpuShare: number
  /** Processor time of the platform for one tenant that registers and links. */
  readonly openCpuMs: number
}

/**
 * How long others had the core that was needed: on a machine that is not idle, measured times are too long by up to
 * this much.
 */
export interface Waited {
  readonly replicaMs: number
  readonly holderMs: number
}

export interface RestartResult {
  readonly waited: Waited
  readonly links: number
  /** From the kill until the replica served again, and until the last link was back. */
  readonly readyMs: number
  readonly backMs: number
  /** Links that came back in each second since the kill. */
  readonly backPerSecond: readonly number[]
  readonly failedAttempts: Readonly<Record<string, number>>
  /** For one link at the replica, without its start. */
  readonly openCpuMs: number
  readonly startCpuSeconds: number
  /** At the other replicas meanwhile. */
  readonly asking: Asking
}

export interface RevocationResult {
  readonly waited: Waited
  readonly links: number
  readonly acknowledgedMs: number
  /** From the request until the last tenant had lost its link. */
  readonly lastCutMs: number
  readonly medianCutMs: number
  readonly cpuSeconds: number
  readonly asking: Asking
}

export interface SimulationResult {
  readonly sizes: readonly SizeResult[]
  /** While some tenants are active: through their links, and the share of a core that the platform needs. */
  readonly active: Asking & { readonly requestsPerSecond: number; readonly cpuShare: number }
  readonly restart: RestartResult
  readonly revocation: RevocationResult
}

/** Callers of the platform itself during an incident. */
const callsPerSecond = 50
const patienceMs = 300_000

export async function simulate(
  options: SimulationOptions,
  say: (text: string) => void = () => {},
): Promise<SimulationResult> {
  const tenants = options.sizes.at(-1) ?? 0
  const setting = await startSetting(options, tenants)
  const holders = await startHolders(options, setting)
  try {
    const sizes: SizeResult[] = []
    for (const [index, size] of options.sizes.entries()) {
      sizes.push(await grow(options, setting, holders, { from: options.sizes[index - 1] ?? 0, to: size }))
      say(`${size} tenants are linked`)
    }
    const active = await keepBusy(options, setting, tenants)
    say('active tenants were asked')
    const restart = await loseReplica(setting, holders, tenants)
    say('a replica was killed and started again')
    const revocation = await revokeKey(options, setting, holders)
    return { sizes, active, restart, revocation }
  } finally {
    await Promise.all(holders.map((holder) => holder.stop()))
    await setting.stop()
  }
}

function startHolders({ holders }: SimulationOptions, { holding }: Setting): Promise<readonly Holder[]> {
  if (holders === 0) return Promise.resolve([new TenantHolder(holding)])
  return Promise.all(Array.from({ length: holders }, () => startHolderProcess(holding)))
}

async function grow(
  { idleSeconds, settleMs }: SimulationOptions,
  setting: Setting,
  holders: readonly Holder[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<SizeResult> {
  const openCpu = await cpuSecondsOf(setting, async () => {
    await Promise.all(sharesOf(holders, from, to).map(([holder, first, end]) => holder.open(first, end)))
  })
  await pause(settleMs)
  const before = await etcdUsage(setting.etcd)
  const idleCpu = await cpuSecondsOf(setting, () => pause(idleSeconds * 1000))
  const after = await etcdUsage(setting.etcd)
  const memory = await Promise.all(setting.replicas.map((replica) => replica.memory()))
  const sum = (part: 'heapBytes' | 'externalBytes' | 'residentBytes') =>
    memory.reduce((total, each) => total + each[part], 0)
  return {
    tenants: to,
    heapBytes: sum('heapBytes'),
    externalBytes: sum('externalBytes'),
    residentBytes: sum('residentBytes'),
    idleCpuShare: idleCpu / idleSeconds,
    idleWritesPerSecond: (after.writes - before.writes) / idleSeconds,
    etcdCpuShare: (after.cpuSeconds - before.cpuSeconds) / idleSeconds,
    openCpuMs: (openCpu * 1000) / (to - from),
  }
}

async function keepBusy({ activeShare, idleSeconds }: SimulationOptions, setting: Setting, tenants: number) {
  const count = Math.max(1, Math.round(tenants * activeShare))
  const inside = `/kubernetes/project/${simulatedProject}/virtualcluster`
  const addresses = Array.from({ length: count }, (_, index) => {
    // Half of the requests go to another replica than the one that holds the link.
    const { url = '' } = setting.replicas[(index >> 1) % setting.replicas.length] ?? {}
    return `${url}${inside}/${tenantName(index)}/api/v1/namespaces/default/configmaps/one`
  })
  const callers = callersOf(setting, addresses, count)
  const cpu = await cpuSecondsOf(setting, () => pause(idleSeconds * 1000))
  return { ...(await callers.finish()), requestsPerSecond: count, cpuShare: cpu / idleSeconds }
}

async function loseReplica(setting: Setting, holders: readonly Holder[], tenants: number): Promise<RestartResult> {
  const callers = callersOf(setting, ownAddresses(setting, setting.replicas.slice(0, -1)), callsPerSecond)
  const before = await historyOf(holders)
  const { killedAtMs, readyAtMs, startCpuSeconds } = await setting.restart()
  const history = await until(holders, ({ linked }) => linked === tenants)
  const [restarted] = setting.replicas.slice(-1)
  const asking = await callers.finish()
  const backMs = history.linkedAtMs.map((atMs) => atMs - killedAtMs)
  return {
    waited: { replicaMs: restarted?.waitedMs() ?? 0, holderMs: history.waitedMs - before.waitedMs },
    links: history.linkedAtMs.length,
    readyMs: readyAtMs - killedAtMs,
    backMs: Math.max(...backMs),
    backPerSecond: perSecond(backMs),
    failedAttempts: history.failed,
    openCpuMs: (((restarted?.cpuSeconds() ?? 0) - startCpuSeconds) * 1000) / history.linkedAtMs.length,
    startCpuSeconds,
    asking,
  }
}

async function revokeKey(
  { settleMs, sizes }: SimulationOptions,
  setting: Setting,
  holders: readonly Holder[],
): Promise<RevocationResult> {
  const tenants = sizes.at(-1) ?? 0
  await pause(settleMs)
  const callers = callersOf(setting, ownAddresses(setting, setting.replicas), callsPerSecond)
  await pause(settleMs)
  const before = await historyOf(holders)
  const waitedBefore = setting.replicas.map((replica) => replica.waitedMs())
  callers.begin()
  let asked = { askedAtMs: 0, acknowledgedAtMs: 0 }
  let history: LinkHistory = none
  const cpuSeconds = await cpuSecondsOf(setting, async () => {
    asked = await setting.revoke()
    history = await until(holders, ({ linked }) => linked === 0)
  })
  const waitedMs = setting.replicas.map((replica, index) => replica.waitedMs() - (waitedBefore[index] ?? 0))
  const asking = await callers.finish()
  const cutMs = history.lostAtMs.map((atMs) => atMs - asked.askedAtMs).sort((left, right) => left - right)
  if (cutMs.length !== tenants) throw new Error(`${cutMs.length} of ${tenants} links were there to be cut`)
  return {
    waited: { replicaMs: Math.max(...waitedMs), holderMs: history.waitedMs - before.waitedMs },
    links: cutMs.length,
    acknowledgedMs: asked.acknowledgedAtMs - asked.askedAtMs,
    lastCutMs: cutMs.at(-1) ?? 0,
    medianCutMs: cutMs[cutMs.length >> 1] ?? 0,
    cpuSeconds,
    asking,
  }
}

function callersOf({ authority, token }: Setting, addresses: readonly string[], perSecond: number): Callers {
  return new Callers({ addresses, perSecond, authority, token })
}

/** An object of the platform, at each of these replicas, or at all if there is only one. */
function ownAddresses({ replicas }: Setting, chosen: Setting['replicas']): readonly string[] {
  const asked = chosen.length === 0 ? replicas : chosen
  return asked.map(({ url }) => `${url}${instances(simulatedProject)}/${tenantName(0)}`)
}

function sharesOf(holders: readonly Holder[], from: number, to: number): readonly [Holder, number, number][] {
  const each = Math.ceil((to - from) / holders.length)
  return holders.map((holder, index) => {
    const first = Math.min(to, from + index * each)
    return [holder, first, Math.min(to, first + each)]
  })
}

async function cpuSecondsOf({ replicas }: Setting, work: () => Promise<void>): Promise<number> {
  const used = () => replicas.reduce((sum, replica) => sum + replica.cpuSeconds(), 0)
  const before = used()
  await work()
  return used() - before
}

const none: LinkHistory = { linked: 0, linkedAtMs: [], lostAtMs: [], failed: {}, waitedMs: 0 }

async function historyOf(holders: readonly Holder[]): Promise<LinkHistory> {
  return (await Promise.all(holders.map((holder) => holder.history()))).reduce(joined, none)
}

/** Everything that happened until the condition held. */
async function until(holders: readonly Holder[], isSo: (history: LinkHistory) => boolean): Promise<LinkHistory> {
  const startedMs = systemClock.now()
  let all = none
  for (;;) {
    const latest = await historyOf(holders)
    all = { ...joined(all, latest), linked: latest.linked, waitedMs: latest.waitedMs }
    if (isSo(all)) return all
    if (systemClock.now() - startedMs > patienceMs) throw new Error(`it took too long: ${latest.linked} are linked`)
    await pause(50)
  }
}

function joined(left: LinkHistory, right: LinkHistory): LinkHistory {
  const failed: Record<string, number> = { ...left.failed }
  for (const [reason, count] of Object.entries(right.failed)) failed[reason] = (failed[reason] ?? 0) + count
  return {
    linked: left.linked + right.linked,
    linkedAtMs: [...left.linkedAtMs, ...right.linkedAtMs],
    lostAtMs: [...left.lostAtMs, ...right.lostAtMs],
    failed,
    waitedMs: Math.max(left.waitedMs, right.waitedMs),
  }
}

function perSecond(momentsMs: readonly number[]): readonly number[] {
  const counts: number[] = []
  for (const ms of momentsMs) {
    const second = Math.floor(ms / 1000)
    while (counts.length <= second) counts.push(0)
    counts[second] = (counts[second] ?? 0) + 1
  }
  return counts
}
