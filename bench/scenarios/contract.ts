import type { Round, Row, Subject } from '../contract.ts'
import type { BenchOptions } from '../options.ts'

export interface ScenarioInput {
  readonly subjects: Round<Subject>
  readonly options: BenchOptions
}

/** Measures, and leaves the servers with the same ConfigMaps as before. */
export type Scenario = (input: ScenarioInput) => Promise<readonly Row[]>
