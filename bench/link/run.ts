import { setTimeout as pause } from 'node:timers/promises'
import { closedLoop, median, type Target, watchAll } from './load.ts'
import { type Part, startPart } from './process.ts'

/**
 * What the way through the platform and the link costs, beside asking the same virtual cluster directly in the same run.
 * `npx tsc -p tsconfig.bench.json; cp package.json dist-bench; node dist-bench/bench/link/run.js`, with REQUESTS=4000, WATCHES=1000, LINKS=200
 * and IDLE_SECONDS=30 by default.
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
const idleSeconds = Number(process.env.IDLE_SECONDS ?? 30)
const path = '/api/v1/namespaces/default/configmaps'

function line(what: string, value: string, target = '', met = true): void {
  const verdict = target === '' ? '' : `${target} ${met ? 'met' : 'missed'}`
  process.stdout.write(`| ${what.padEnd(58)} | ${value.padStart(22)} | ${verdict.padEnd(20)} |\n`)
}

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

  const directCpu = await cpuMsOf([tenant], () => closedLoop(direct, requests, 16))
  const throughCpu = await cpuMsOf([platform, tenant], () => closedLoop(through, requests, 16))
  const perRequest = (ms: number) => `${((ms * 1000) / requests).toFixed(0)}`
  line('CPU per request, direct / through', `${perRequest(directCpu)} / ${perRequest(throughCpu)} µs`)
  line('CPU through against direct', `${(throughCpu / directCpu).toFixed(2)} ×`, '≤ 3 ×', throughCpu <= 3 * directCpu)

  const tookMs = await watchAll({ ...through, path: inside + path }, watches)
  line(`${watches} watches over one link, one write seen by all after`, `${tookMs.toFixed(0)} ms`)

  const before = await platform.usage()
  await tenant.ask({ from: 1, to: links + 1 })
  await pause(3_000)
  const after = await platform.usage()
  const perLink = (after.bytes - before.bytes) / links / 1024
  line(`memory of the platform per link, ${links} links`, `${perLink.toFixed(0)} KiB`, '≤ 1024 KiB', perLink <= 1024)

  const idleCpu = await cpuMsOf([platform], () => pause(idleSeconds * 1000))
  const share = idleCpu / idleSeconds / 10
  line(`platform with ${links + 1} idle links, of one core`, `${share.toFixed(1)} %`, '≤ 5 %', share <= 5)
} finally {
  platform.stop()
  tenant.stop()
}
