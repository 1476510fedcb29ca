import { coreSchemaOf } from '../../api/core/kinds.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { jsonText } from '../../base/json/json-text.ts'
import { UsageError } from '../../base/usage-error.ts'
import { createExpressionEngine } from '../../expression/engine.ts'
import { compileCheckedPatches } from '../../patches/compile.ts'
import { rememberingNames } from '../../patches/name-memory.ts'
import type { DirectionReport, PatchTestReport } from '../../patches/trial/report.ts'
import { policyJson, whyFailed } from '../../patches/trial/report.ts'
import { type PatchTest, runPatchTest } from '../../patches/trial/run-test.ts'
import { serviceTranslation, tenantNames } from '../../sync/names/names.ts'
import { tenantLabels } from '../../sync/names/tenant-labels.ts'
import { trialPolicy } from '../../sync/policy/trial-policy.ts'
import { loadConfig } from '../config/load-config.ts'
import { dataColors } from '../output/colors.ts'
import { printPainted } from '../output/print.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { PatchTestOptions } from './options.ts'
import { patchesOf, type ResourcePatches } from './patch-lists.ts'
import { readObject } from './read-object.ts'
import { patchReportText } from './report-text.ts'

export async function patchTest(flags: PatchTestOptions, terminal: Terminal): Promise<void> {
  const files = [flags.file, flags.object, flags.hostObject]
  if (files.filter((file) => file === '-').length > 1) throw new UsageError('only one file can be standard input')
  const config = await loadConfig(flags.file, terminal)
  const list = patchesOf(config, flags.resource, flags.fromHost ? 'fromHost' : 'toHost')
  const test = await readTest(flags, config, list, terminal)
  const engine = createExpressionEngine({ virtualToHostDNS: serviceTranslation(flags, config) })
  try {
    const report = await runPatchTest(test, engine)
    const paths = list.patches.map(({ path }) => path)
    const text =
      flags.output === 'json' ? reportJson(report, paths) : patchReportText(report, paths, dataColors(terminal))
    printPainted(terminal, text)
    const failure = whyFailed(report)
    if (failure !== undefined) throw new Error(failure)
  } finally {
    await engine.close()
  }
}

async function readTest(
  flags: PatchTestOptions,
  config: EffectiveConfig,
  { field, resource, patches }: ResourcePatches,
  terminal: Terminal,
): Promise<PatchTest> {
  const virtualObject = await readObject(flags.object, terminal)
  const hostObject = flags.hostObject === undefined ? undefined : await readObject(flags.hostObject, terminal)
  const schema = coreSchemaOf(resource)
  const compiled = compileCheckedPatches(patches)
  return {
    field,
    patches: compiled,
    ...(!flags.fromHost && { policy: trialPolicy(resource, compiled, config, flags) }),
    virtualObject,
    vcluster: { name: flags.tenant, namespace: flags.hostNamespace, config },
    names: rememberingNames(tenantNames(flags, config)),
    labels: tenantLabels(flags),
    ...(hostObject && { hostObject }),
    ...(schema && { schema }),
  }
}

/** The report for scripts. */
function reportJson(report: PatchTestReport, paths: readonly string[]): string {
  const shown = {
    ok: whyFailed(report) === undefined,
    field: report.field,
    policy: policyJson(report.policy),
    toHost: directionJson(report.toHost, paths),
    toVirtual: directionJson(report.toVirtual, paths),
    roundTrip: report.roundTrip.map(({ index, path, verdict }) => ({ index, path, ...verdict })),
  }
  return jsonText(shown)
}

function directionJson({ before, outcome }: DirectionReport, paths: readonly string[]) {
  const patches = outcome.counters.map((counters, index) => ({ index, path: paths[index], ...counters }))
  if (outcome.state === 'failed') return { state: 'failed', before, failure: outcome.failure, patches }
  return { state: 'applied', before, after: outcome.object, references: outcome.references, patches }
}
