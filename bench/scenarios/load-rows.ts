import type { Round, Row, Target } from '../contract.ts'
import type { LoadResult } from '../load/closed-loop.ts'
import { comparedRow } from '../rounds.ts'

/** The line that counts, and below it what explains it. */
export function loadRows(scenario: string, rounds: readonly Round<LoadResult>[], target: Target): readonly Row[] {
  return [
    comparedRow({ scenario, unit: 'requests/s' }, rounds, (result) => result.perSecond, target),
    comparedRow({ scenario: `${scenario}: p99`, unit: 'ms' }, rounds, (result) => result.p99Ms),
    comparedRow(
      { scenario: `${scenario}: server CPU`, unit: 'µs/request' },
      rounds,
      (result) => result.serverCpuMicroseconds,
    ),
    comparedRow({ scenario: `${scenario}: generator busy`, unit: '%' }, rounds, (result) => result.generatorBusy * 100),
  ]
}
