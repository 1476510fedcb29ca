import { jsonText } from '../../base/json/json-text.ts'
import type { DirectionReport, PatchTestReport } from '../../patches/trial/report.ts'
import { policyJson, whyFailed } from '../../patches/trial/report.ts'

/** The report for scripts. */
export function reportJson(report: PatchTestReport, paths: readonly string[]): string {
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
