import type { NamedTest, Requirement } from './contract.ts'

/** A test that was run, or should have been. */
export interface RunTest {
  /** Relative to the root of the repository. */
  readonly file: string
  /** The titles of its suites and its own. */
  readonly fullName: string
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
}

export type Verdict =
  | { readonly state: 'holds' }
  | { readonly state: 'fails'; readonly why: string }
  | { readonly state: 'cannot be tried yet'; readonly why: string }

/** The result for a requirement. A named test that was not run counts as a failure. */
export function verdictOf({ evidence }: Requirement, run: readonly RunTest[]): Verdict {
  if (evidence.type === 'not yet') return { state: 'cannot be tried yet', why: evidence.why }
  const problems = evidence.tests.flatMap((named) => problemOf(named, run) ?? [])
  return problems.length === 0 ? { state: 'holds' } : { state: 'fails', why: problems.join('; ') }
}

function problemOf(named: NamedTest, run: readonly RunTest[]): string | undefined {
  const pattern = new RegExp(patternOf(named.name))
  const meant = run.filter(({ file, fullName }) => file === named.file && pattern.test(fullName))
  const where = `${named.file}: ${named.name}`
  if (meant.length === 0) return `there is no test ${where}`
  if (meant.some(({ state }) => state === 'failed')) return `failed: ${where}`
  return meant.some(({ state }) => state === 'passed') ? undefined : `was not run: ${where}`
}

/** The title as a regular expression: placeholders for the values of a table match any text. */
export function patternOf(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/%[a-z#]/g, '.*')
}
