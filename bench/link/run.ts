import { setTimeout as pause } from 'node:timers/promises'
import { closedLoop, median, type Target, watchAll } from './load.ts'
import { type Part, startPart } from './process.ts'

/**
 * What the way through the platform and the link costs, compared with direct requests to the same virtual cluster in
 * the same run.
 * `npx tsc -p tsconfig.bench.json; cp package.json dist-bench; node dist-bench/bench/link/run.js`, with REQUESTS=4000,
 * WATCHES=1000, LINKS=200 and IDLE_SECONDS=60 by default.
 */

interface PlatformFacts {
  readonly url: string
  readonly authority: string
  readonly accessKey: string
  readonly token: string
}

const requests = Number(process.env.REQUESTS ?? 4_000)
const watches = Number(process.env.WATCHES ?? 1_000)
const links = Number(process.env.LINKS ?? 200)
const idleSeconds = Number(process.env.IDLE_SECONDS ?? 60)
const path = '/api/v1/namespaces/default/configmaps'

function line(what: string, value: string, target = '', met = true): void {
  const verdict = target === '' ? '' : `${target} ${met ? 'met' : 'missed'}`
  process.stdout.write(`| ${what.padEnd(58)} | ${value.padStart(22)} | ${verdict.padEnd(20)} |\n`)
}

const warmLinks = 20
const rounds = 7
const platform = await startPart<PlatformFacts>('platform-part', {})
const tenant = await startPart<{ url: string; authority: string }>('tenant-part', { ...platform.facts, links: 1 })
const direct: Target = { ...tenant.facts, token: 'admin-token', path: `${path}/kube-root-ca.crt` }
const inside = '/kubernetes/project/default/virtualcluster/tenant-0'
const through: Target = { ...platform.facts, path: `${inside}${path}/kube-root-ca.crt` }

async function cpuMsOf(parts: readonly Part<unknown>[], work: () => Promise<unknown>): Promise<number> {
  const sum = async () => {
    const usages = await Promise.all(parts.map((part) => part.usage()))
    return usages.reduce((total, { cpuMs }) => total + cpuMs, 0)
  }
  const before = await sum()
  await work()
  return (await sum()) - before
}

try {
  for (const target of [direct, through]) await closedLoop(target, requests, 8)
  const directMs = median(await closedLoop(direct, requests / 4, 1))
  const throughMs = median(await closedLoop(through, requests / 4, 1))
  const added = throughMs - directMs
  line('median latency, direct / through', `${directMs.toFixed(2)} / ${throughMs.toFixed(2)} ms`)
  line('added latency, median', `${added.toFixed(2)} ms`, '≤ 2 ms', added <= 2)

  await measureCpu()

  const tookMs = await watchAll({ ...through, path: inside + path }, watches)
  line(`${watches} watches over one link, one write seen by all after`, `${tookMs.toFixed(0)} ms`)
} finally {
  platform.stop()
  tenant.stop()
}

/** In turns, because the load of a machine changes from one second to the next. */
async function measureCpu(): Promise<void> {
  const costs: { readonly direct: number; readonly through: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const directMs = await cpuMsOf([tenant], () => closedLoop(direct, requests, 16))
    const throughMs = await cpuMsOf([platform, tenant], () => closedLoop(through, requests, 16))
    costs.push({ direct: (directMs * 1000) / requests, through: (throughMs * 1000) / requests })
  }
  const middle = (of: (cost: (typeof costs)[number]) => number) => median(costs.map(of).sort((a, b) => a - b))
  const each = `${middle((cost) => cost.direct).toFixed(0)} / ${middle((cost) => cost.through).toFixed(0)} µs`
  line('CPU per request, direct / through, median of rounds', each)
  const ratios = costs.map((cost) => cost.through / cost.direct).sort((a, b) => a - b)
  const ratio = median(ratios)
  line('CPU through against direct, median of rounds', `${ratio.toFixed(2)} ×`, '≤ 3 ×', ratio <= 3)
  line('the same, lowest and highest', `${ratios.at(0)?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)} ×`)
}

/** In separate processes: what requests and watches leave behind would hide what links need. */
async function measureIdleLinks(): Promise<void> {
  const platform = await startPart<PlatformFacts>('platform-part', {})
  const tenants = await startPart('tenant-part', { ...platform.facts, links: warmLinks })
  try {
    await pause(3_000)
    const before = await platform.usage()
    await tenants.ask({ from: warmLinks, to: warmLinks + links })
    await pause(3_000)
    const after = await platform.usage()
    const perLink = (used: 'heapBytes' | 'residentBytes') => (after[used] - before[used]) / links / 1024
    const resident = perLink('residentBytes')
    line(`memory of the platform per link, ${links} links, heap alone`, `${perLink('heapBytes').toFixed(0)} KiB`)
    line('the same, resident', `${resident.toFixed(0)} KiB`, '≤ 1024 KiB', resident <= 1024)

    const idleCpu = await cpuMsOf([platform], () => pause(idleSeconds * 1000))
    const share = idleCpu / idleSeconds / 10
    line(`platform with ${links + warmLinks} idle links, of one core`, `${share.toFixed(1)} %`, '≤ 5 %', share <= 5)
  } finally {
    platform.stop()
    tenants.stop()
  }
}

await measureIdleLinks()
