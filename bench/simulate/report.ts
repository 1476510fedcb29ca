import type { SimulationResult, SizeResult, Waited } from './simulation.ts'

interface Line {
  readonly what: string
  readonly value: string
  readonly target?: string
  readonly isMet?: boolean
}

const targets = { heapKb: 60, residentKb: 250, idleCpuShare: 0.4, backMs: 45_000, lastCutMs: 2_000 }
/** The size to which the targets for all links together refer. */
const targetTenants = 10_000

/** What one more tenant takes: from the smallest to the largest size, which excludes what the platform itself takes. */
function perTenantKb(sizes: readonly SizeResult[], part: 'heapBytes' | 'externalBytes' | 'residentBytes'): number {
  const [first, last] = [sizes.at(0), sizes.at(-1)]
  if (first === undefined || last === undefined || first === last) return Number.NaN
  return (last[part] - first[part]) / (last.tenants - first.tenants) / 1024
}

/** On the line through the smallest and the largest size. */
function idleShareAt(sizes: readonly SizeResult[], tenants: number): number {
  const [first, last] = [sizes.at(0), sizes.at(-1)]
  if (first === undefined || last === undefined || first === last) return Number.NaN
  const perTenant = (last.idleCpuShare - first.idleCpuShare) / (last.tenants - first.tenants)
  return last.idleCpuShare + perTenant * (tenants - last.tenants)
}

export function printResult({ sizes, active, restart, revocation }: SimulationResult): string {
  const heap = perTenantKb(sizes, 'heapBytes')
  const resident = perTenantKb(sizes, 'residentBytes')
  const idle = idleShareAt(sizes, targetTenants)
  const lines: Line[] = [
    ...sizes.flatMap(linesOfSize),
    { what: 'heap per idle tenant', value: `${heap.toFixed(1)} KB`, ...against('KB', targets.heapKb, heap) },
    { what: 'buffers beside the heap', value: `${perTenantKb(sizes, 'externalBytes').toFixed(1)} KB` },
    {
      what: 'resident per idle tenant',
      value: `${resident.toFixed(0)} KB`,
      ...against('KB', targets.residentKb, resident),
    },
    {
      what: `idle links, of a core, at ${targetTenants}`,
      value: percent(idle),
      target: `≤ ${percent(targets.idleCpuShare)}`,
      isMet: idle <= targets.idleCpuShare,
    },
    {
      what: `active: ${active.requestsPerSecond}/s through links, median / p99`,
      value: `${active.medianMs.toFixed(1)} / ${active.p99Ms.toFixed(1)} ms, ${active.refused} refused, ${percent(active.cpuShare)} of a core`,
    },
    { what: `restart: ${restart.links} links, replica ready after`, value: seconds(restart.readyMs) },
    {
      what: 'restart: all links back after',
      value: seconds(restart.backMs),
      ...against('ms', targets.backMs, restart.backMs),
    },
    { what: 'restart: waited for a core, replica / tenants', value: waitedText(restart.waited) },
    { what: 'restart: links back in each second', value: restart.backPerSecond.join(' ') },
    { what: 'restart: attempts that failed', value: JSON.stringify(restart.failedAttempts) },
    {
      what: 'restart: processor time of the replica per link, and of its start',
      value: `${restart.openCpuMs.toFixed(2)} ms, ${restart.startCpuSeconds.toFixed(2)} s`,
    },
    { what: 'restart: GET at others, median / p99', value: timesOf(restart.asking) },
    { what: `revocation: acknowledged after`, value: seconds(revocation.acknowledgedMs) },
    {
      what: `revocation: last of ${revocation.links} links cut after`,
      value: seconds(revocation.lastCutMs),
      ...against('ms', targets.lastCutMs, revocation.lastCutMs),
    },
    { what: 'revocation: waited for a core, replica / tenants', value: waitedText(revocation.waited) },
    { what: 'revocation: half of them after', value: seconds(revocation.medianCutMs) },
    {
      what: 'revocation: processor time per link',
      value: `${((revocation.cpuSeconds * 1000) / revocation.links).toFixed(2)} ms`,
    },
    { what: 'revocation: GET, median / p99', value: timesOf(revocation.asking) },
  ]
  return lines.map(printed).join('')
}

function linesOfSize(size: SizeResult): readonly Line[] {
  const { tenants, heapBytes, residentBytes, idleCpuShare, idleWritesPerSecond, etcdCpuShare, openCpuMs } = size
  return [
    {
      what: `${tenants} tenants: heap, resident`,
      value: `${(heapBytes / 1024 / 1024).toFixed(1)} MB, ${(residentBytes / 1024 / 1024).toFixed(1)} MB`,
    },
    {
      what: `${tenants} tenants: idle, of a core; etcd`,
      value: `${percent(idleCpuShare)}; ${percent(etcdCpuShare)}, ${idleWritesPerSecond.toFixed(1)} writes/s`,
    },
    { what: `${tenants} tenants: to register and link one`, value: `${openCpuMs.toFixed(2)} ms of processor time` },
  ]
}

function against(unit: 'KB' | 'ms', most: number, value: number): Pick<Line, 'target' | 'isMet'> {
  return { target: unit === 'KB' ? `≤ ${most} KB` : `≤ ${seconds(most)}`, isMet: value <= most }
}

function timesOf({ medianMs, p99Ms, answers, refused }: SimulationResult['restart']['asking']): string {
  return `${medianMs.toFixed(1)} / ${p99Ms.toFixed(1)} ms of ${answers}, ${refused} refused`
}

function waitedText({ replicaMs, holderMs }: Waited): string {
  return `${seconds(replicaMs)} / ${seconds(holderMs)}`
}

function printed({ what, value, target, isMet }: Line): string {
  const verdict = target === undefined ? '' : `  (${target}: ${isMet === true ? 'met' : 'missed'})`
  return `${what.padEnd(58)} ${value}${verdict}\n`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
