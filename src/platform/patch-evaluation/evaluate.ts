import { coreSchemaOf } from '../../api/core/kinds.ts'
import { createExpressionEngine } from '../../expression/engine.ts'
import type { CompiledPatch } from '../../patches/contract.ts'
import { rememberingNames } from '../../patches/name-memory.ts'
import { findMatches } from '../../patches/path/matches.ts'
import { printConcretePath } from '../../patches/path/print.ts'
import { verdictText } from '../../patches/round-trip/wording.ts'
import { type DirectionReport, type PatchTestReport, policyJson } from '../../patches/trial/report.ts'
import { runPatchTest } from '../../patches/trial/run-test.ts'
import { serviceTranslation, tenantNames } from '../../sync/names/names.ts'
import { tenantLabels } from '../../sync/names/tenant-labels.ts'
import { trialPolicy } from '../../sync/policy/trial-policy.ts'
import type { PatchQuestion } from './question.ts'

const mostMatches = 200

/** Runs the patches as the syncer would, in a sandbox that ends with the answer or when the signal aborts. */
export async function evaluatePatches(question: PatchQuestion, signal: AbortSignal): Promise<object> {
  const { resource, config, patches, virtualObject, hostObject, tenant, hostNamespace } = question
  const schema = coreSchemaOf(resource)
  const engine = createExpressionEngine({ virtualToHostDNS: serviceTranslation(question, config), signal })
  try {
    const report = await runPatchTest(
      {
        field: `sync.toHost.${resource}`,
        patches,
        virtualObject,
        vcluster: { name: tenant, namespace: hostNamespace, config },
        names: rememberingNames(tenantNames(question, config)),
        labels: tenantLabels(question),
        policy: trialPolicy(resource, patches, config, question),
        ...(hostObject && { hostObject }),
        ...(schema && { schema }),
      },
      engine,
    )
    return statusOf(report, patches)
  } finally {
    await engine.close()
  }
}

function statusOf(report: PatchTestReport, patches: readonly CompiledPatch[]): object {
  return {
    problems: [],
    policy: policyJson(report.policy),
    toHost: directionOf(report.toHost, patches),
    toVirtual: directionOf(report.toVirtual, patches),
    roundTrip: report.roundTrip.map(({ index, path, verdict }) => ({
      index,
      path,
      verdict: verdict.verdict,
      message: verdictText(verdict),
    })),
  }
}

function directionOf({ before, outcome }: DirectionReport, patches: readonly CompiledPatch[]): object {
  const counted = outcome.counters.map((counters, index) => ({
    index,
    ...counters,
    matches: matchesOf(before, patches[index]),
  }))
  if (outcome.state === 'failed') return { state: 'failed', before, failure: outcome.failure, patches: counted }
  return { state: 'applied', before, after: outcome.object, references: outcome.references, patches: counted }
}

/** The values that the path matches before any patch has run. */
function matchesOf(before: unknown, patch: CompiledPatch | undefined): readonly string[] {
  if (patch === undefined) return []
  return findMatches(before, patch.path)
    .slice(0, mostMatches)
    .map(({ path }) => printConcretePath(path))
}
