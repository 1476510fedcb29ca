import type { Round, Row, Subject, Target } from './contract.ts'
import { median } from './statistics.ts'

/** Measures both servers in turn, round by round, so that disturbances of the machine affect both. */
export async function inRounds<T>(
  subjects: Round<Subject>,
  count: number,
  measure: (subject: Subject) => Promise<T>,
): Promise<readonly Round<T>[]> {
  const rounds: Round<T>[] = []
  for (let round = 0; round < count; round++) {
    const ours = await measure(subjects.ours)
    const peer = subjects.peer === undefined ? undefined : await measure(subjects.peer)
    rounds.push({ ours, peer })
  }
  return rounds
}

/** The median of each server, and the median of the ratios within each round. */
export function comparedRow<T>(
  name: { readonly scenario: string; readonly unit: string },
  rounds: readonly Round<T>[],
  numberOf: (measured: T) => number,
  target?: Target,
): Row {
  const ours = median(rounds.map((round) => numberOf(round.ours)))
  const compared = rounds.flatMap((round) =>
    round.peer === undefined ? [] : [[numberOf(round.ours), numberOf(round.peer)]],
  )
  const hasPeer = compared.length > 0
  return {
    ...name,
    ours,
    peer: hasPeer ? median(compared.map(([, peer = Number.NaN]) => peer)) : undefined,
    ratio: hasPeer ? median(compared.map(([own = Number.NaN, peer = Number.NaN]) => own / peer)) : undefined,
    target,
  }
}

export function atLeast(ratio: number): Target {
  return { comparison: 'at least', ratio }
}

export function atMost(ratio: number): Target {
  return { comparison: 'at most', ratio }
}

export function subjectsOf(subjects: Round<Subject>): readonly Subject[] {
  return subjects.peer === undefined ? [subjects.ours] : [subjects.ours, subjects.peer]
}
