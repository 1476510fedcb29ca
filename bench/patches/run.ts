import { effectiveConfig } from '../../src/api/tenant-config/defaults.ts'
import type { ExpressionEngine } from '../../src/expression/contract.ts'
import { createExpressionEngine } from '../../src/expression/engine.ts'
import { applyPatches } from '../../src/patches/apply.ts'
import { compilePatches } from '../../src/patches/compile.ts'
import type { CompiledPatch, LabelTranslator, NameTranslator } from '../../src/patches/contract.ts'
import { endpointsWith, patches } from './objects.ts'

/** 1,000 Endpoints with 100 addresses each, and the same number of addresses in fewer and larger objects. */
const sizes = [
  { objects: 1000, addresses: 100 },
  { objects: 100, addresses: 1000 },
  { objects: 10, addresses: 10_000 },
]

const vcluster = { name: 'demo', namespace: 'tenant-demo', config: effectiveConfig({}) }
const names: NameTranslator = {
  multiNamespace: false,
  toHost: (_kind, namespace, name) => ({ namespace, name }),
  toVirtual: (_kind, namespace, name) => ({ namespace, name }),
}
const labels: LabelTranslator = { toHost: (key) => key, toVirtual: (key) => key, narrowing: {} }

interface Measured {
  readonly microsecondsPerObject: number
  readonly nanosecondsPerAddress: number
  /** For all threads together, so that it means the same on a busy machine. */
  readonly cpuMicrosecondsPerObject: number
  readonly cpuNanosecondsPerAddress: number
  readonly heapMegabytes: number
  readonly residentMegabytes: number
}

async function measure(
  size: (typeof sizes)[number],
  list: readonly CompiledPatch[],
  engine: ExpressionEngine,
): Promise<Measured> {
  const objects = Array.from({ length: size.objects }, (_, number) => endpointsWith(size.addresses, number))
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  for (const object of objects) {
    const context = { vcluster, hostObject: null, virtualObject: object }
    const outcome = await applyPatches(object, list, { direction: 'toHost', context, names, labels, engine })
    if (outcome.state === 'failed') throw new Error(outcome.failure.message)
  }
  const elapsedMs = performance.now() - startedAt
  const cpu = process.cpuUsage(cpuBefore)
  const memory = process.memoryUsage()
  return {
    microsecondsPerObject: Math.round((elapsedMs * 1000) / size.objects),
    nanosecondsPerAddress: Math.round((elapsedMs * 1e6) / size.objects / size.addresses),
    cpuMicrosecondsPerObject: Math.round((cpu.user + cpu.system) / size.objects),
    cpuNanosecondsPerAddress: Math.round(((cpu.user + cpu.system) * 1000) / size.objects / size.addresses),
    heapMegabytes: Math.round(memory.heapUsed / 1e6),
    residentMegabytes: Math.round(memory.rss / 1e6),
  }
}

const compiled = compilePatches(patches)
if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems))
const engine = createExpressionEngine({ virtualToHostDNS: (address) => ({ ok: true, address }) })
try {
  for (const size of sizes) {
    await measure(size, compiled.patches, engine)
    const measured = await measure(size, compiled.patches, engine)
    process.stdout.write(`${JSON.stringify({ ...size, patches: patches.length, ...measured })}\n`)
  }
} finally {
  await engine.close()
}
