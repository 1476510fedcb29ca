import type { Schema } from '../../api/schema.ts'
import { deepEqual } from '../../base/equal.ts'
import type { CompiledExpression, ExpressionEngine, VirtualClusterContext } from '../../expression/contract.ts'
import type { CompiledPatch } from '../contract.ts'
import { type Evaluated, evaluatedFrom } from '../evaluated.ts'
import type { ConcretePath } from '../path/path.ts'
import { printConcretePath } from '../path/print.ts'
import { sampleObject, samplePlace } from './sample-object.ts'
import { samplesFor } from './samples.ts'
import { judge, notCheckable, type RoundTripVerdict, type SampleTrip } from './verdict.ts'

export interface RoundTripSetting {
  readonly engine: ExpressionEngine
  readonly vcluster: VirtualClusterContext
  /** The schema of the kind that the patch is for, if known. */
  readonly schema?: Schema
  /** Values at the path of a real object: the pair must restore each of them. */
  readonly realValues?: readonly unknown[]
}

interface Pair {
  readonly toHost: CompiledExpression
  readonly toVirtual: CompiledExpression
  readonly place: ConcretePath
}

/** Sends sample values to the host and back. Only a pair of expressions can be checked. */
export async function checkRoundTrip(patch: CompiledPatch, setting: RoundTripSetting): Promise<RoundTripVerdict> {
  const { action, path } = patch
  if (action.type !== 'expression') return notCheckable('the syncer itself translates it both ways')
  const { toHost, toVirtual } = action
  if (toHost === undefined) return notCheckable('there is no expression')
  if (toVirtual === undefined) return notCheckable('there is no reverseExpression')
  const pair: Pair = { toHost, toVirtual, place: samplePlace(path) }
  const real = await sendAll(setting.realValues ?? [], pair, setting)
  const loss = real.find((trip) => trip.state === 'lost')
  if (loss !== undefined) return { verdict: 'counter-example', counterExample: loss.counterExample }
  const trips: (readonly SampleTrip[])[] = []
  for (const group of samplesFor(path, setting.schema)) {
    const ordinary = await sendAll(group.values, pair, setting)
    const branches = group.type === 'string' ? await sendAll(literalSamples(toHost.source), pair, setting) : []
    trips.push([...ordinary, ...branches.filter((trip) => trip.state !== 'inapplicable' && trip.changed)])
  }
  return judge(trips)
}

async function sendAll(
  values: readonly unknown[],
  pair: Pair,
  setting: RoundTripSetting,
): Promise<readonly SampleTrip[]> {
  const { engine, vcluster } = setting
  const path = printConcretePath(pair.place)
  const virtualObjects = values.map((value) => sampleObject(pair.place, value))
  const there = await engine.evaluate(
    values.map((value, position) => ({
      expression: pair.toHost,
      value,
      context: { vcluster, hostObject: null, virtualObject: virtualObjects[position] ?? null, path },
    })),
  )
  const sent = there.map(evaluatedFrom)
  const back = await engine.evaluate(
    sent.map((result, position) => {
      const value = result.ok ? result.value : undefined
      const objects = { hostObject: sampleObject(pair.place, value), virtualObject: virtualObjects[position] ?? null }
      return { expression: pair.toVirtual, value, context: { vcluster, ...objects, path } }
    }),
  )
  const returned = back.map(evaluatedFrom)
  return values.map((value, position) => tripOf(value, sent[position], returned[position]))
}

/** A field that was removed on the host is not found on the way back, so no expression can restore it. */
function tripOf(value: unknown, sent: Evaluated | undefined, back: Evaluated | undefined): SampleTrip {
  if (sent === undefined || back === undefined) throw new Error('The expression engine gave too few results.')
  if (!sent.ok) return { state: 'inapplicable', message: sent.message }
  const changed = !deepEqual(value, sent.value)
  if (sent.value === undefined) return { state: 'lost', changed, counterExample: { value } }
  if (!back.ok) return { state: 'lost', changed, counterExample: { value, sent: sent.value, message: back.message } }
  if (deepEqual(value, back.value)) return { state: 'returned', changed }
  const returned = back.value === undefined ? {} : { returned: back.value }
  return { state: 'lost', changed, counterExample: { value, sent: sent.value, ...returned } }
}

const literal = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/g
const maxLiterals = 8
const maxLength = 64

/**
 * Texts that an expression compares with or searches for, so that samples reach its branches. They count only if the
 * expression changes them: an unchanged one may look like something already translated.
 */
function literalSamples(source: string): readonly string[] {
  const literals = [...source.matchAll(literal)]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((text) => text !== '' && text.length <= maxLength && !text.includes('\\'))
  return [...new Set(literals)].slice(0, maxLiterals).flatMap((text) => [text, `${text}x`, `x${text}`, `x${text}y`])
}
