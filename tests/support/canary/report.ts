import type { PlaceType } from './place.ts'
import type { Counts, Finding } from './run-folder.ts'

export interface Report {
  readonly isGood: boolean
  readonly text: string
}

const words: Readonly<Record<PlaceType, string>> = {
  answer: 'writes of answers',
  'compressed answer': 'writes of compressed answers',
  'call over a link': 'calls over links',
  output: 'writes of processes',
  log: 'log lines',
  file: 'pieces of files',
}
const placeTypes = Object.keys(words).filter((name): name is PlaceType => name in words)

/** A run of all suites must have searched something in every type of place. */
export function reportOf(findings: readonly Finding[], counts: readonly Counts[], isFullRun: boolean): Report {
  const shown = counts.reduce((sum, each) => sum + each.shown, 0)
  const blind = isFullRun ? placeTypes.filter((type) => timesOf(counts, type) === 0) : []
  const problems = [
    ...findings.map(({ test, place, what }) => `  ${what}\n    in ${place}\n    during ${test || 'the run'}`),
    ...blind.map((type) => `  no ${words[type]} were seen at all: the canary is blind there`),
    ...(isFullRun && shown === 0 ? ['  no key was seen being made: the canary is blind'] : []),
  ]
  const summary = `Canary: looked for key values in ${lookedAt(counts)}; ${shown} where they are meant to be`
  if (problems.length === 0) return { isGood: true, text: `${summary}, none elsewhere.` }
  return { isGood: false, text: `${summary}. PROBLEMS: ${problems.length}\n${problems.join('\n')}` }
}

function lookedAt(counts: readonly Counts[]): string {
  const seen = placeTypes.filter((type) => timesOf(counts, type) > 0)
  const texts = seen.map((type) => `${timesOf(counts, type)} ${words[type]} (${megabytesOf(counts, type)} MB)`)
  return texts.length === 0 ? 'nothing' : texts.join(', ')
}

function timesOf(counts: readonly Counts[], type: PlaceType): number {
  return counts.reduce((sum, { looks }) => sum + looks[type][0], 0)
}

function megabytesOf(counts: readonly Counts[], type: PlaceType): string {
  return (counts.reduce((sum, { looks }) => sum + looks[type][1], 0) / 1e6).toFixed(1)
}
