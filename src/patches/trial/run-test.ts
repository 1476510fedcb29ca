import type { KubeObject } from '../../api/object.ts'
import type { Schema } from '../../api/schema.ts'
import type { ExpressionEngine, VirtualClusterContext } from '../../expression/contract.ts'
import { applyPatches } from '../apply.ts'
import type { CompiledPatch, Direction, LabelTranslator, NameTranslator, ObjectName } from '../contract.ts'
import { findMatches } from '../path/matches.ts'
import { checkRoundTrip } from '../round-trip/check.ts'
import { counterpartOf } from './counterpart.ts'
import type { DirectionReport, PatchTestReport, PolicyReport, RoundTripEntry } from './report.ts'

export interface PatchTest {
  readonly field: string
  readonly patches: readonly CompiledPatch[]
  readonly virtualObject: KubeObject
  /** Absent: the result of the patches on the virtual object. */
  readonly hostObject?: KubeObject
  readonly vcluster: VirtualClusterContext
  readonly schema?: Schema
  readonly names: NameTranslator
  readonly labels: LabelTranslator
  /** Applied before the patches on the way to the host. Absent: nothing is. */
  readonly policy?: (object: KubeObject) => PolicyReport & { readonly object: KubeObject }
}

/** Runs the patches in both directions without a cluster. */
export async function runPatchTest(test: PatchTest, engine: ExpressionEngine): Promise<PatchTestReport> {
  const { virtualObject, names } = test
  const virtualName = nameOf(virtualObject)
  const kind = { apiVersion: virtualObject.apiVersion, kind: virtualObject.kind }
  const hostName = names.toHost(kind, virtualName.namespace, virtualName.name) ?? virtualName
  const translated = counterpartOf(virtualObject, hostName)
  const { object: hostBefore, refusals, isHeld } = test.policy?.(translated) ?? everything(translated)
  const toHost = await applied(test, 'toHost', hostBefore, test.hostObject ?? null, engine)
  const hostObject = test.hostObject ?? (toHost.outcome.state === 'applied' ? toHost.outcome.object : hostBefore)
  const toVirtual = await applied(test, 'toVirtual', counterpartOf(hostObject, virtualName), hostObject, engine)
  return {
    field: test.field,
    policy: { refusals, isHeld },
    toHost,
    toVirtual,
    roundTrip: await roundTrips(test, engine),
  }
}

function everything(object: KubeObject): PolicyReport & { readonly object: KubeObject } {
  return { object, refusals: [], isHeld: false }
}

async function applied(
  { patches, virtualObject, vcluster, names, labels }: PatchTest,
  direction: Direction,
  before: KubeObject,
  hostObject: KubeObject | null,
  engine: ExpressionEngine,
): Promise<DirectionReport> {
  const context = { vcluster, hostObject, virtualObject }
  return { before, outcome: await applyPatches(before, patches, { direction, context, names, labels, engine }) }
}

async function roundTrips(test: PatchTest, engine: ExpressionEngine): Promise<readonly RoundTripEntry[]> {
  const { patches, vcluster, schema, virtualObject } = test
  const entries: RoundTripEntry[] = []
  for (const [index, patch] of patches.entries()) {
    const realValues = findMatches(virtualObject, patch.path).map(({ value }) => value)
    const verdict = await checkRoundTrip(patch, { engine, vcluster, realValues, ...(schema && { schema }) })
    entries.push({ index, path: patch.pathText, verdict })
  }
  return entries
}

/** A file without a namespace is read as kubectl reads it. */
function nameOf({ kind, metadata }: KubeObject): ObjectName {
  const namespace = metadata.namespace ?? (kind === 'Namespace' ? '' : 'default')
  return { namespace, name: metadata.name ?? '' }
}
